// Shared by all parts of the script: the data, elements, numbers, and packed data.

const data = JSON.parse(document.getElementById('data').textContent);

const find = (selector, root = document) => root.querySelector(selector);
const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

/** An element with attributes and children; strings are never parsed as markup. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (key === 'part') made.style.setProperty('--part', value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

function shape(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Decimals as the rest of Cranfield rounds them: of two equally near ones the even one, where `toFixed` takes the larger. */
function decimals(value) {
  const text = value.toFixed(data.digits);
  const exact = Math.abs(value) < 1e7 ? value.toFixed(data.digits + 60) : text;
  const rest = exact.slice(exact.length - 60);
  if (exact === text || !/^50*$/.test(rest)) return text;
  const cut = exact.slice(0, exact.length - 60).replace(/\.$/, '');
  return '02468'.includes(cut.at(-1)) ? cut : text;
}

/** A number as the tables of the page show it: decimals, or an exponent where decimals would be zeros or too wide. */
function rounded(value) {
  const text = decimals(value === 0 ? 0 : value);
  const isLost = value !== 0 && !/[1-9]/.test(text);
  if (!isLost && Math.abs(value) < 1e7) return text;
  return value.toExponential(Math.max(0, data.digits - 1)).replace('e+', 'e');
}

/** A number, if there is one. */
function fixed(value) {
  return value === null || value === undefined ? '–' : rounded(value);
}

function signed(value) {
  return (value > 0 ? '+' : value < 0 ? '−' : '±') + rounded(Math.abs(value));
}

/** Topics as people sort them: 2 before 10. */
const natural = new Intl.Collator('en', { numeric: true }).compare;

/** Unpacks gzip in base64. */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

const unpacked = new Map();

/** The ranking data of a topic, unpacked once. */
async function rankingsOf(topic) {
  const packed = data.rankings[topic];
  if (packed === undefined) return null;
  if (!unpacked.has(topic)) unpacked.set(topic, unpack(packed).then(JSON.parse));
  return unpacked.get(topic);
}

/** A topic's title, if it is known. */
function titleOf(topic) {
  return data.titles?.[topic] ?? '';
}

/** A topic's id, with its title. */
function topicName(topic) {
  return titleOf(topic) ? `${data.topics[topic]} “${titleOf(topic)}”` : data.topics[topic];
}

/** The title of a document, or the beginning of its text. */
function headingOf(topic, doc) {
  const [title, text] = topic.about?.[doc] ?? ['', ''];
  return title || text;
}

/** Id, title and first words of a document, and its grade. */
function aboutDoc(topic, doc) {
  const known = (topic.about?.[doc] ?? []).filter(Boolean);
  return [[topic.docs[doc], gradeText(topic.labels[doc])].join(', '), ...known].join('\n');
}

/** A document's id, with its title and first words if they are known. */
function docCell(topic, doc) {
  const [title, text] = topic.about?.[doc] ?? ['', ''];
  if (!title && !text) return topic.docs[doc];
  return element('div', { class: 'about' }, topic.docs[doc], title ? element('b', {}, title) : null, text ? element('span', { class: 'quiet' }, text) : null);
}

/** All grades that topics have, ascending. */
const grades = [...new Set(data.judged.flat().map(([grade]) => grade))].sort((a, b) => a - b);
const positive = grades.filter(grade => grade > 0);

/** One of five shades, as far apart as can be. */
function shadeOf(at, count) {
  if (count <= 2) return count === 1 ? 4 : [2, 4][at];
  return 1 + Math.round((4 * at) / (count - 1));
}

/** A grade as a coloured mark with its number. */
function gradeMark(label, text = null) {
  if (!data.graded) return element('span', { class: 'g' }, text ?? '·');
  if (label === null) return element('span', { class: 'g un', title: 'not judged' }, '?');
  if (label === 'p') return element('span', { class: 'g un', title: 'pooled, not judged' }, 'p');
  if (label < 0) return element('span', { class: 'g neg' }, String(label));
  const shade = label === 0 ? 0 : shadeOf(positive.indexOf(label), positive.length);
  return element('span', { class: `g g${shade}` }, String(label));
}

function gradeText(label) {
  if (!data.graded) return '';
  if (label === null) return 'not judged';
  return label === 'p' ? 'pooled' : `grade ${label}`;
}

/** A labelled choice. */
function choice(label, options, chosen, change) {
  const select = element('select', { onchange: event => change(Number(event.target.value)) });
  for (const [value, text] of options) {
    select.append(element('option', { value, selected: value === chosen }, text));
  }
  return element('label', {}, label, select);
}

/** A bar for a fraction of the largest value. */
function meter(value, most) {
  const part = most > 0 ? Math.max(0, Math.min(1, Math.abs(value) / most)) : 0;
  return element('span', { class: 'meter', part: `${(100 * part).toFixed(1)}%`, 'aria-hidden': 'true' });
}

/** Fills a dialog with a title, a close button and content, and opens it. */
function openWindow(dialog, title, ...content) {
  const close = element('button', { type: 'button', onclick: () => dialog.close() }, 'Close');
  dialog.replaceChildren(element('h2', { id: `${dialog.id}-title` }, title, close), ...content.filter(Boolean));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

/** Saves bytes or a string as a file. */
function download(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = element('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}
