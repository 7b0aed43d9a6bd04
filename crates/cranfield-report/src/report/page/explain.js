// Explanations: a mean by its topics, a topic's value by its documents.

/** Text with backticks as code. */
function prose(text) {
  return text.split('`').map((piece, at) => (at % 2 ? element('code', {}, piece) : piece));
}

function aboutMeasure(measure) {
  const parts = [['', measure.what], ['User model: ', measure.user], ['Formula: ', measure.formula]];
  return parts.filter(([, text]) => text).map(([title, text]) => element('p', {}, element('span', { class: 'quiet' }, title), ...prose(text)));
}

function row(cells, heading = false) {
  const made = cells.map(([content, kind]) => element(heading ? 'th' : 'td', { class: kind, scope: heading ? 'col' : null }, content));
  return element('tr', {}, ...made);
}

function table(heads, rows) {
  return element('div', { class: 'table', tabindex: 0 },
    element('table', {}, element('thead', {}, row(heads, true)), element('tbody', {}, ...rows)));
}

/** The topics of a run that count in a measure's mean, with their values. */
function countedTopics(run, measure) {
  const values = data.values[measure][run];
  const topics = values.map((value, topic) => ({ topic, value }));
  return data.measures[measure].skips ? topics.filter(({ value }) => value !== null) : topics;
}

function explainMean(run, at) {
  const measure = data.measures[at];
  const topics = countedTopics(run, at).sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const most = Math.max(...topics.map(({ value }) => Math.abs(value ?? 0)), 0);
  const share = value => (measure.aggregate === 'mean' ? (value ?? 0) / topics.length : value ?? 0);
  const rows = topics.map(({ topic, value }) => {
    const open = () => explainTopic(topic, run, at);
    return row([
      [element('button', { type: 'button', class: 'value', onclick: open }, topicName(topic)), null],
      [value === null ? 'undefined' : fixed(value), 'n'],
      [meter(value ?? 0, most), null],
      [measure.aggregate === 'geometric mean' ? '' : fixed(share(value)), 'n'],
    ]);
  });
  const mean = fixed(measure.means[run]);
  const sum = topics.reduce((total, { value }) => total + (value ?? 0), 0);
  const known = topics.length === data.all_topics || measure.skips;
  const how = measure.aggregate === 'mean'
    ? `${measure.name} = sum of the values / n = ${fixed(sum)} / ${topics.length} = ${mean}; contribution = value / n`
    : `${measure.name} = ${measure.aggregate} over ${topics.length} topics = ${mean}`;
  const plain = `The leaderboard has standardised scores (${data.standardised}); these are the original scores.`;
  openWindow(find('#explanation'), `${measure.name} of ${data.runs[run]}: ${mean}`, ...aboutMeasure(measure),
    data.standardised && element('p', {}, plain),
    element('p', {}, known ? how : `This page contains ${data.topics.length} of ${data.all_topics} topics, so the contributions do not add up to ${mean}.`),
    table([['topic'], ['value', 'n'], ['', null], ['contribution', 'n']], rows));
}

/** Numbers of a column: whole if all of them are. */
function columnText(rows, column) {
  const whole = rows.every(cells => !cells?.[column] || Number.isInteger(cells[column]));
  return value => (value === null || value === undefined ? '' : whole ? String(value) : fixed(value));
}

function partTable(topic, ranking, part, columns) {
  const cells = part.c ?? [];
  const texts = columns.map((_, column) => columnText(cells, column));
  const most = Math.max(...part.s.map(Math.abs), 0);
  const shown = Math.max(part.s.length, Math.min(ranking.docs.length, 10), cells.length);
  const rows = [];
  for (let at = 0; at < shown; at += 1) {
    const doc = ranking.docs[at], share = part.s[at] ?? 0;
    rows.push(row([
      [String(at + 1), 'n'],
      [doc === undefined ? '' : docCell(topic, doc), null],
      [doc === undefined ? '' : gradeMark(topic.labels[doc]), null],
      ...(cells.length ? columns.map((_, column) => [texts[column](cells[at]?.[column]), 'n']) : []),
      [share ? fixed(share) : '', 'n'],
      [share ? meter(share, most) : '', null],
    ]));
  }
  const heads = [['rank', 'n'], ['document'], [data.graded ? 'grade' : '']];
  return table([...heads, ...(cells.length ? columns.map(name => [name, 'n']) : []), ['contribution', 'n'], ['']], rows);
}

async function explainTopic(topicAt, run, at) {
  const measure = data.measures[at], value = data.values[at][run][topicAt];
  const title = `${measure.name} of topic ${topicName(topicAt)} in ${data.runs[run]}: ${value === null ? 'undefined' : fixed(value)}`;
  const topic = await rankingsOf(topicAt);
  const ranking = topic?.runs[run], part = ranking?.parts[at];
  const lines = [];
  if (topic && !ranking) lines.push('The topic is missing from the run and counts as an empty ranking.');
  else if (ranking && !part && at >= data.explained) {
    lines.push(`To keep this page small, it has no contributions for ${measure.name}; see cranfield explain.`);
  }
  if (part) lines.push(...part.l);
  if (part?.z) lines.push(`not due to any document: ${fixed(part.z)}`);
  if (part?.b) lines.push(`documents below rank ${ranking.docs.length}: ${fixed(part.b)}`);
  openWindow(find('#explanation'), title, ...aboutMeasure(measure),
    part ? partTable(topic, ranking, part, measure.columns ?? []) : null,
    element('ul', {}, ...lines.map(line => element('li', {}, line))));
}
