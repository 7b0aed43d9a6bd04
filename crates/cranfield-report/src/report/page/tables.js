// Sortable tables, the tabs of the leaderboard, and values that open their explanation.

function sortKey(cell) {
  const text = (cell.dataset.sort ?? cell.textContent).trim();
  const number = Number.parseFloat(text);
  return Number.isNaN(number) ? text : number;
}

function compareKeys(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return natural(a, b);
}

function sortTable(table, column, heading) {
  const body = table.tBodies[0];
  const numbers = heading.classList.contains('n');
  const before = heading.getAttribute('aria-sort');
  const first = numbers ? 'descending' : 'ascending';
  const second = numbers ? 'ascending' : 'descending';
  const now = before === first ? second : first;
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  heading.setAttribute('aria-sort', now);
  const rows = [...body.rows].map(row => [sortKey(row.cells[column]), row]);
  rows.sort(([a], [b]) => (now === 'ascending' ? compareKeys(a, b) : compareKeys(b, a)));
  body.append(...rows.map(([, row]) => row));
}

/** Gives every heading a button that sorts by it, for pointer and keyboard alike; names that are cut off have a tooltip. */
function makeSortable(table) {
  for (const name of findAll('tbody th', table)) name.title = name.textContent;
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    if (heading.classList.contains('plain')) return;
    const sort = element('button', { type: 'button', class: 'sort', onclick: () => sortTable(table, column, heading) });
    sort.append(...heading.childNodes);
    heading.append(sort);
  });
}

/** Values of runs open their explanation. */
function makeValuesAsk(root) {
  for (const cell of findAll('td.value', root)) {
    const run = Number(cell.dataset.run), measure = Number(cell.dataset.measure);
    const [text, ...others] = cell.childNodes;
    const title = `Explain ${data.measures[measure].name} of ${data.runs[run]}`;
    const ask = element('button', { type: 'button', class: 'value', title, onclick: () => explainMean(run, measure) }, text);
    cell.replaceChildren(ask, ...others);
  }
}

function selectTab(tabs, boards, at) {
  tabs.forEach((tab, place) => {
    tab.setAttribute('aria-selected', String(place === at));
    tab.tabIndex = place === at ? 0 : -1;
    boards[place].hidden = place !== at;
  });
}

/** One measure at a time. */
function makeTabs() {
  const list = find('#leaderboard .tabs'), boards = findAll('#leaderboard .board');
  if (!list || boards.length < 2) return;
  const tabs = boards.map((board, at) => {
    board.id = `board-${at}`;
    board.classList.add('tabbed');
    board.setAttribute('role', 'tabpanel');
    const name = find('h3', board).textContent;
    board.setAttribute('aria-label', name);
    return element('button', { type: 'button', role: 'tab', 'aria-controls': board.id, onclick: () => selectTab(tabs, boards, at) }, name);
  });
  list.append(...tabs);
  list.hidden = false;
  list.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
    selectTab(tabs, boards, at);
    tabs[at].focus();
    event.preventDefault();
    event.stopPropagation();
  });
  selectTab(tabs, boards, 0);
}
