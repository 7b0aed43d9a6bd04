//! Converts the catalogue of measures from Markdown to one HTML page with formulas as `MathML`. The page is self-contained: it loads
//! no script, font or image.

use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};
use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser as TexParser, RenderConfig, Storage, push_mathml};

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>Measures</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 0.1rem 1rem 0.1rem 0; vertical-align: top; }
h2 { border-top: 1px solid #8888; margin-top: 2.5rem; padding-top: 1rem; }
h3 { font-size: 1rem; margin-bottom: 0; }
h3 + p, h3 + ul { margin-top: 0; }
.formula { overflow-x: auto; padding: 0.5rem 0; font-size: 1.15em; }
code { font-size: 0.9em; }
@media print { h2 { break-after: avoid; } }
</style>
</head>
<body>
";

/// Converts the catalogue to HTML. Returns an error that quotes the first formula that cannot be rendered.
pub(crate) fn page(markdown: &str) -> Result<String, String> {
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    let events = with_anchors(with_formulas(events)?);
    let mut text = String::from(HEAD);
    html::push_html(&mut text, events.into_iter());
    text.push_str("</body>\n</html>\n");
    Ok(text)
}

/// Replaces fenced `math` blocks by rendered formulas.
fn with_formulas(events: Vec<Event<'_>>) -> Result<Vec<Event<'_>>, String> {
    let mut rendered = Vec::with_capacity(events.len());
    let mut formula: Option<String> = None;
    for event in events {
        match (event, &mut formula) {
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(name))), _) if &*name == "math" => {
                formula = Some(String::new());
            }
            (Event::Text(tex), Some(formula)) => formula.push_str(&tex),
            (Event::End(TagEnd::CodeBlock), Some(tex)) => {
                let block = format!("<div class=\"formula\">{}</div>\n", mathml(tex)?);
                rendered.push(Event::Html(CowStr::from(block)));
                formula = None;
            }
            (other, _) => rendered.push(other),
        }
    }
    Ok(rendered)
}

/// Gives the headings of measures the ids that the table at the top links to.
fn with_anchors(mut events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    for at in 1..events.len() {
        let (before, after) = events.split_at_mut(at);
        if let (
            Some(Event::Start(Tag::Heading {
                level: HeadingLevel::H2,
                id,
                ..
            })),
            Some(Event::Text(name)),
        ) = (before.last_mut(), after.first())
        {
            *id = Some(CowStr::from(name.to_lowercase()));
        }
    }
    events
}

fn mathml(tex: &str) -> Result<String, String> {
    let storage = Storage::new();
    let config = RenderConfig {
        display_mode: DisplayMode::Block,
        ..RenderConfig::default()
    };
    let mut out = String::new();
    push_mathml(&mut out, TexParser::new(tex.trim(), &storage), config)
        .map_err(|error| error.to_string())?;
    if out.contains("<merror") {
        return Err(format!("cannot render formula: {}", tex.trim()));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renders_formula_and_anchor() {
        let text = page("## AP_IA\n\n```math\n\\frac{1}{R}\n```\n").unwrap();
        assert!(text.contains("<h2 id=\"ap_ia\">AP_IA</h2>"), "{text}");
        assert!(
            text.contains("<mfrac><mrow><mn>1</mn></mrow><mrow><mi>R</mi></mrow></mfrac>"),
            "{text}"
        );
    }

    #[test]
    fn rejects_invalid_tex() {
        assert!(page("```math\n\\frac{1\n```\n").is_err());
    }
}
