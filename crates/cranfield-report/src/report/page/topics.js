// Choosing a topic, and each run on it.

const state = { topic: 0, first: 0, second: 0, measure: 0, order: 'id', search: '' };

function mean(values) {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;
}

/** Mean and spread of a topic over runs, by the first measure. */
function topicFigures() {
  return data.topics.map((_, topic) => {
    const values = data.values[0].map(run => run[topic] ?? 0);
    const middle = mean(values);
    return { mean: middle, spread: Math.sqrt(mean(values.map(value => (value - middle) ** 2))) };
  });
}

const figures = topicFigures();

const orders = {
  id: ['by id', (a, b) => natural(data.topics[a], data.topics[b])],
  easy: ['easiest first', (a, b) => figures[b].mean - figures[a].mean],
  hard: ['hardest first', (a, b) => figures[a].mean - figures[b].mean],
  spread: ['largest spread first', (a, b) => figures[b].spread - figures[a].spread],
};

/** The topics that the list shows, in its order. */
function listedTopics() {
  const wanted = state.search.trim().toLowerCase();
  const topics = data.topics.map((_, topic) => topic).filter(topic => `${data.topics[topic]} ${titleOf(topic)}`.toLowerCase().includes(wanted));
  return topics.sort(orders[state.order][1]);
}

function showList() {
  const most = Math.max(...figures.map(figure => figure.mean), 0);
  const items = listedTopics().map(topic => {
    const name = element('span', {}, data.topics[topic], titleOf(topic) ? element('span', { class: 'quiet' }, ` ${titleOf(topic)}`) : null);
    const title = `mean ${data.measures[0].name} over runs ${fixed(figures[topic].mean)}`;
    const button = element('button', { type: 'button', title, 'aria-current': topic === state.topic ? 'true' : null,
      onclick: () => chooseTopic(topic) }, name, meter(figures[topic].mean, most));
    return element('li', {}, button);
  });
  const list = find('.topic-list');
  list.replaceChildren(...(items.length ? items : [element('li', { class: 'quiet' }, 'no such topic')]));
  const current = find('[aria-current]', list);
  if (current) list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - 60;
}

/** Shows a topic, and names it in the address, so that a link leads back to it. */
function chooseTopic(topic, { link = true } = {}) {
  state.topic = topic;
  if (link) history.replaceState(null, '', `#topic=${encodeURIComponent(data.topics[topic])}`);
  showList();
  return showTopic();
}

/** The topic that the address names. */
function linkedTopic() {
  const name = location.hash.startsWith('#topic=') ? location.hash.slice('#topic='.length) : null;
  try { return name === null ? -1 : data.topics.indexOf(decodeURIComponent(name)); } catch { return -1; }
}

function followLink() {
  const topic = linkedTopic();
  if (topic < 0) return;
  chooseTopic(topic);
  find('#topics').scrollIntoView();
}

/** Follows the link to a topic, so that the browser can go back. */
function openTopic(name) {
  if (!data.topics.includes(name)) return;
  const link = `#topic=${encodeURIComponent(name)}`;
  if (location.hash === link) followLink();
  else location.hash = link;
}

/** The next topic of the list, or the one before. */
function stepTopic(step) {
  const listed = listedTopics();
  if (!listed.length) return;
  const at = listed.indexOf(state.topic);
  const next = at < 0 ? 0 : Math.min(listed.length - 1, Math.max(0, at + step));
  chooseTopic(listed[next]);
}

/** Enter takes the first topic found, Escape ends the search. */
function searchKey(event) {
  const [first] = listedTopics();
  if (event.key === 'Enter' && first !== undefined) chooseTopic(first);
  if (event.key !== 'Escape') return;
  event.preventDefault();
  event.target.value = state.search = '';
  event.target.blur();
  showList();
}

function picker() {
  const search = element('input', { type: 'search', id: 'topic-search', 'aria-keyshortcuts': '/',
    oninput: event => { state.search = event.target.value; showList(); },
    onkeydown: searchKey });
  const keys = Object.keys(orders);
  const order = choice('Order', keys.map((key, at) => [at, orders[key][0]]), 0, at => { state.order = keys[at]; showList(); });
  return element('div', { class: 'picker' }, element('label', {}, 'Search topics', search), order,
    element('ul', { class: 'topic-list', 'aria-label': 'Topics' }));
}

function gradeKey() {
  if (!data.graded) return null;
  const marks = grades.map(grade => gradeMark(grade));
  return element('p', { class: 'key' }, element('span', {}, 'grades ', ...marks.flatMap(mark => [mark, ' '])),
    element('span', {}, gradeMark(null), ' not judged'));
}

/** The first ranks as coloured marks. */
function strip(topic, ranking) {
  if (!ranking) return element('span', { class: 'quiet' }, 'not in the run');
  const marks = ranking.docs.map((doc, at) => {
    const mark = gradeMark(topic.labels[doc]);
    mark.title = `rank ${at + 1}: ${aboutDoc(topic, doc)}`;
    return mark;
  });
  const relevant = ranking.docs.filter(doc => topic.labels[doc] > 0).length;
  const label = data.graded ? `${relevant} relevant of the first ${ranking.docs.length}` : `${ranking.docs.length} documents`;
  return element('span', { class: 'strip', role: 'img', 'aria-label': label }, ...marks);
}

function topicRow(run, topic) {
  const values = data.measures.map((measure, at) => {
    const value = data.values[at][run][state.topic];
    const title = `Explain ${measure.name}`;
    const ask = element('button', { type: 'button', class: 'value', title, onclick: () => explainTopic(state.topic, run, at) },
      value === null ? 'undefined' : fixed(value));
    return element('td', { class: 'n', 'data-sort': value ?? -Infinity }, ask);
  });
  const side = (key, name) => element('button', { type: 'button', 'aria-label': `${data.runs[run]} as ranking ${name}`,
    'aria-pressed': String(state[key] === run), class: 'side', onclick: () => { state[key] = run; showPair(); } }, name);
  return element('tr', {}, element('th', { scope: 'row' }, data.runs[run]),
    topic ? element('td', {}, side('first', 'A'), ' ', side('second', 'B')) : null, ...values,
    topic ? element('td', {}, strip(topic, topic.runs[run])) : null);
}

function judgedText(topic) {
  const counts = data.judged[topic] ?? [];
  if (!counts.length) return '';
  return `Judged: ${counts.map(([grade, count]) => `${count} of grade ${grade}`).join(', ')}.`;
}

async function showTopic() {
  const shown = state.topic, topic = await rankingsOf(shown).catch(unpackFailed);
  if (shown !== state.topic) return;
  const plain = text => (topic ? element('th', { scope: 'col', class: 'plain' }, text) : null);
  const heads = [element('th', { scope: 'col' }, 'run'), plain('compare'),
    ...data.measures.map(measure => element('th', { scope: 'col', class: 'n' }, measure.name)), plain(`first ${data.depth} ranks`)];
  const rows = data.measures[0].order.map(run => topicRow(run, topic));
  const runs = element('table', { class: 'sortable' }, element('thead', {}, element('tr', {}, ...heads.filter(Boolean))), element('tbody', {}, ...rows));
  makeSortable(runs);
  const step = (by, text, key) => element('button', { type: 'button', 'aria-keyshortcuts': key, onclick: () => stepTopic(by) }, text);
  find('.topic').replaceChildren(
    element('h3', { 'aria-live': 'polite' }, `Topic ${topicName(shown)}`,
      element('span', { class: 'steps' }, step(-1, '← previous', 'k'), ' ', step(1, 'next →', 'j'))),
    element('p', { class: 'quiet' }, judgedText(shown)),
    element('div', { class: 'scroll' }, runs), gradeKey() ?? '', element('div', { id: 'pair' }));
  await showPair();
}

function unpackFailed() {
  find('#topics .lead').textContent = 'This browser cannot unpack the rankings; a newer one can.';
  return null;
}

function startTopics() {
  const view = find('#topic-view');
  if (!view || !data.topics.length) return;
  [state.first, state.second = state.first] = data.measures[0].order;
  state.topic = listedTopics()[0];
  view.append(picker(), element('div', { class: 'topic' }));
  view.hidden = false;
  chooseTopic(state.topic, { link: false });
  followLink();
  window.addEventListener('hashchange', followLink);
}
