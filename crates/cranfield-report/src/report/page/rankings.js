// Two rankings of a topic side by side: the same document is linked, and its move is told.

const ROW = 26;

/** Places of documents in a ranking: document to rank from 0. */
function ranksOf(ranking) {
  return new Map((ranking?.docs ?? []).map((doc, at) => [doc, at]));
}

function moveMark(own, other, depth) {
  if (other === undefined) return element('span', { class: 'move' }, `not in first ${depth}`);
  const by = other - own;
  if (by === 0) return element('span', { class: 'move' }, '=');
  const [kind, arrow] = by > 0 ? ['up', '▲'] : ['down', '▼'];
  return element('span', { class: `move ${kind}`, title: `rank ${other + 1} in the other ranking` }, `${arrow}${Math.abs(by)}`);
}

function rankingList(topic, run, others, depth) {
  const ranking = topic.runs[run];
  const part = ranking?.parts[state.measure];
  const items = (ranking?.docs ?? []).map((doc, at) => {
    const share = part?.s[at];
    return element('li', { 'data-doc': doc }, element('span', { class: 'rank' }, String(at + 1)), gradeMark(topic.labels[doc]),
      element('span', { class: 'doc', title: aboutDoc(topic, doc) }, topic.docs[doc],
        headingOf(topic, doc) ? element('span', { class: 'quiet' }, ` ${headingOf(topic, doc)}`) : null),
      others ? moveMark(at, others.get(doc), depth) : null,
      part ? element('span', { class: 'share', title: `share of ${data.measures[state.measure].name}` }, share ? fixed(share) : '') : null);
  });
  const empty = ranking ? 'no documents' : 'the run lacks this topic';
  return element('div', {}, element('h4', { title: data.runs[run] }, data.runs[run]),
    element('ol', { 'aria-label': `Ranking of ${data.runs[run]}` }, ...(items.length ? items : [element('li', { class: 'quiet' }, empty)])));
}

/** Lines from the left list to the right one. */
function links(first, second) {
  const height = ROW * Math.max(first.size, second.size, 1);
  const plot = shape('svg', { viewBox: `0 0 100 ${height}`, height, preserveAspectRatio: 'none', role: 'img',
    'aria-label': 'Lines link documents that both rankings have' });
  for (const [doc, at] of first) {
    const to = second.get(doc);
    if (to === undefined) continue;
    const [y, z] = [at, to].map(place => (place + 0.5) * ROW);
    const kind = to < at ? 'up' : to > at ? 'down' : 'same';
    plot.append(shape('path', { d: `M2 ${y}C45 ${y} 55 ${z} 98 ${z}`, class: kind, 'data-doc': doc }));
  }
  return plot;
}

/** The document under the pointer is marked on both sides. */
function lightUp(view) {
  const light = event => {
    const doc = event.target.closest('[data-doc]')?.dataset.doc;
    for (const part of findAll('[data-doc]', view)) part.classList.toggle('lit', part.dataset.doc === doc);
  };
  view.addEventListener('pointerover', light);
  view.addEventListener('pointerleave', light);
}

function differenceText(first, second) {
  const measure = data.measures[state.measure];
  const [a, b] = [first, second].map(run => data.values[state.measure][run][state.topic]);
  if (a === null || b === null) return `${measure.name}: ${fixed(a)} and ${fixed(b)}.`;
  return `${measure.name}: ${fixed(a)} and ${fixed(b)}, a difference of ${signed(b - a)} from A to B.`;
}

async function showPair() {
  const place = find('#pair'), shown = state.topic;
  const topic = await rankingsOf(shown);
  if (!place || !topic || shown !== state.topic) return;
  const names = data.runs.map((name, run) => [run, name]);
  const chosen = key => run => { state[key] = run; showPair(); };
  const controls = element('div', { class: 'pair' }, element('h3', {}, 'Rankings side by side'),
    choice('A', names, state.first, chosen('first')), choice('B', names, state.second, chosen('second')),
    choice('Shares of', data.measures.map((measure, at) => [at, measure.name]), state.measure, chosen('measure')));
  const [first, second] = [state.first, state.second].map(run => ranksOf(topic.runs[run]));
  const view = element('div', { class: 'rankings' }, rankingList(topic, state.first, second, data.depth), links(first, second),
    rankingList(topic, state.second, first, data.depth));
  lightUp(view);
  const common = [...first.keys()].filter(doc => second.has(doc)).length;
  place.replaceChildren(controls,
    element('p', { class: 'quiet' }, `${differenceText(state.first, state.second)} ${common} documents are among the first ${data.depth} of both. ▲ and ▼: ranks higher or lower than in the other ranking.`),
    view);
  for (const button of findAll('button.side')) {
    const row = button.closest('tr'), name = find('th', row).textContent;
    button.setAttribute('aria-pressed', String(data.runs[state[button.textContent === 'A' ? 'first' : 'second']] === name));
  }
}
