// Runs of the story: good ones from a collection, and what goes wrong in a class.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { program, shared } from '../browser.mjs';

const MODELS = ['BM25', "VSM('lnc.ltc')", 'TF_IDF', 'QL', 'DPH', 'PL2', 'Pivoted'];

const cranfield = (...args) => execFileSync(program, [...args, '--quiet'], { encoding: 'utf8' });

/** Judgements and runs by name of the model, from the Vaswani collection or, without it, from the kitchen garden. */
export function makeRuns(scratch) {
  let collection = shared('collections/vaswani', 'the bundled collection is used');
  let qrels = collection && path.join(collection, 'qrels');
  if (!collection) {
    collection = path.join(scratch, 'garden');
    execFileSync(program, ['demo', collection], { stdio: 'ignore' });
    qrels = path.join(collection, 'qrels.txt');
  }
  const index = path.join(scratch, 'index');
  cranfield('index', collection, '-o', index);
  const run = (name, ...more) => {
    const file = path.join(scratch, `${name}.run`);
    cranfield('search', index, collection, '-d', '100', '-o', file, ...more);
    return file;
  };
  const runs = new Map(MODELS.map(model => [model.split('(')[0], run(model.split('(')[0].toLowerCase(), '-m', model)]));
  runs.set('RM3', run('rm3', '-m', 'BM25', '--feedback', 'RM3'));
  return { qrels, runs };
}

const lines = file => fs.readFileSync(file, 'utf8').trimEnd().split('\n');

function written(scratch, name, content) {
  const file = path.join(scratch, name);
  fs.writeFileSync(file, content);
  return file;
}

/** Files that a server must refuse, with what its answer has to name. */
export function brokenRuns(scratch, good) {
  const rows = lines(good);
  const columns = rows[1].split(' ');
  const twice = [...rows.slice(0, 2), columns.with(2, rows[0].split(' ')[2]).join(' '), ...rows.slice(2)];
  return [
    { file: written(scratch, 'twice.run', `${twice.join('\n')}\n`), names: /line 3|line 1/ },
    { file: written(scratch, 'no-scores.run', `${rows.map(row => row.split(' ').slice(0, 3).join(' ')).join('\n')}\n`), names: /line 1/ },
    { file: written(scratch, 'words.run', rows.map((row, at) => at === 4 ? row.split(' ').with(4, 'good').join(' ') : row).join('\n')), names: /line 5/ },
    { file: written(scratch, 'empty.run', ''), names: /./ },
    { file: written(scratch, 'essay.pdf', '%PDF-1.4\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n'), names: /./ },
  ];
}

/** Runs that differ from a good one in one topic each, whose best document is moved to the end: probes of which topics are public. */
export function probes(scratch, good, count) {
  const rows = lines(good);
  const topics = [...new Set(rows.map(row => row.split(' ')[0]))].slice(0, count);
  return topics.map(topic => {
    const kept = rows.map(row => {
      const cells = row.split(' ');
      return cells[0] === topic && cells[3] === '1' ? cells.with(4, '-1000').with(3, '1000').join(' ') : row;
    });
    return written(scratch, `probe-${topic}.run`, `${kept.join('\n')}\n`);
  });
}
