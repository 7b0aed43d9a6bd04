"""Replacements for other packages, with the same interfaces and results.

>>> from cranfield.compat import pytrec_eval
>>> evaluator = pytrec_eval.RelevanceEvaluator({"q1": {"d1": 1}}, {"map"})
>>> evaluator.evaluate({"q1": {"d1": 0.5}})
{'q1': {'map': 1.0}}
"""
