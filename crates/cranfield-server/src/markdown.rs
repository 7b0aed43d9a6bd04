//! Markdown of organisers as HTML: without raw HTML, without images, and with links to `https` and relative addresses only.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Parser, Tag, TagEnd, html};

/// Renders a text for a section of a page, whose headings are of the second level.
pub(crate) fn html(text: &str) -> String {
    let mut links = Vec::new();
    let events = Parser::new(text).filter_map(|event| shown(event, &mut links));
    let mut rendered = String::new();
    html::push_html(&mut rendered, events);
    rendered
}

/// What is rendered of an event. `links` has, for each open link or picture, whether it is rendered.
fn shown<'t>(event: Event<'t>, links: &mut Vec<bool>) -> Option<Event<'t>> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::HtmlBlock) => Some(Event::Start(Tag::Paragraph)),
        Event::End(TagEnd::HtmlBlock) => Some(Event::End(TagEnd::Paragraph)),
        Event::Start(Tag::Heading { level, .. }) => Some(Event::Start(Tag::Heading {
            level: lower(level),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        })),
        Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(lower(level)))),
        Event::Start(Tag::Link { dest_url, .. }) => {
            links.push(may_link(&dest_url));
            may_link(&dest_url).then(|| Event::InlineHtml(anchor(&dest_url)))
        }
        Event::End(TagEnd::Link) => {
            let is_shown = links.pop().unwrap_or(false);
            is_shown.then_some(Event::InlineHtml("</a>".into()))
        }
        // The description of a picture stands for it.
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        other => Some(other),
    }
}

/// Headings of a text are below those of its section.
fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H3,
        HeadingLevel::H2 => HeadingLevel::H4,
        HeadingLevel::H3 => HeadingLevel::H5,
        HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => HeadingLevel::H6,
    }
}

/// Whether an address is one of `https`, or relative to this server.
fn may_link(address: &str) -> bool {
    let is_plain = !address
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || c == '\\');
    let path = address.split(['/', '?', '#']).next().unwrap_or_default();
    let is_relative = !path.contains(':') && !address.starts_with("//");
    let is_https = address
        .get(..8)
        .is_some_and(|start| start.eq_ignore_ascii_case("https://"));
    is_plain && (is_relative || is_https)
}

fn anchor(address: &str) -> CowStr<'static> {
    let escaped = address
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;");
    format!("<a href=\"{escaped}\" rel=\"noopener nofollow\">").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_rendered_below_the_headings_of_its_page() {
        let text = "# Rules\n\n*Any* method, `BM25` too.\n\n1. one\n2. two\n";
        assert_eq!(
            html(text),
            "<h3>Rules</h3>\n<p><em>Any</em> method, <code>BM25</code> too.</p>\n<ol>\n<li>one</li>\n<li>two</li>\n</ol>\n"
        );
    }

    #[test]
    fn links_lead_to_https_and_to_this_server_only() {
        for (address, is_link) in [
            ("https://example.org/a?b=c&d", true),
            ("/c/hw1/board", true),
            ("topics.tsv#one:two", true),
            ("http://example.org", false),
            ("javascript:alert(1)", false),
            ("JaVaScRiPt:alert(1)", false),
            ("//example.org", false),
            ("data:text/html,a", false),
            ("\\\\example.org", false),
        ] {
            let rendered = html(&format!("[see]({address})"));
            assert_eq!(rendered.contains("<a "), is_link, "{rendered}");
            assert!(rendered.contains("see"), "{rendered}");
        }
        let rendered = html("[see](https://example.org/?a=b&c)");
        assert_eq!(
            rendered,
            "<p><a href=\"https://example.org/?a=b&amp;c\" rel=\"noopener nofollow\">see</a></p>\n"
        );
    }

    #[test]
    fn html_and_pictures_become_text() {
        for text in [
            "<script>alert(1)</script>",
            "a <img src=x onerror=alert(1)> b",
            "![a picture](https://example.org/a.png)",
            "<https://example.org/\"onload=alert(1)>",
            "[x](https://e.org/\"onmouseover=alert(1))",
            "<a href='javascript:alert(1)'>x</a>",
            "[a]: javascript:alert(1)\n\n[a]",
        ] {
            let rendered = html(text);
            for tag in rendered.split('<').skip(1) {
                let tag = tag.split('>').next().unwrap_or_default();
                let known = ["p", "/p", "a href=\"https://", "/a"];
                assert!(
                    known.iter().any(|start| tag.starts_with(start)),
                    "{rendered}"
                );
                assert!(!tag.contains(" on") && !tag.contains("\"on"), "{rendered}");
            }
        }
        assert_eq!(
            html("![a picture](https://e.org/a.png)"),
            "<p>a picture</p>\n"
        );
    }
}
