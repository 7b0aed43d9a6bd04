// Keys, light and dark, and the start of everything.

const KEYS = [
  ['j', 'next topic'], ['k', 'previous topic'], ['↓ ↑', 'next and previous topic while the list has the focus'],
  ['/', 'search topics'], ['Enter', 'in the search: the first topic found; Esc ends it'], ['d', 'light, dark or system theme'],
  ['?', 'this help'], ['Esc', 'close a window'], ['Tab', 'next value, heading or button; Enter opens or sorts'],
];

function showHelp() {
  const rows = KEYS.map(([key, text]) => row([[element('kbd', {}, key)], [text]]));
  openWindow(find('#help'), 'Keys', table([['key'], ['does']], rows));
}

const THEMES = ['auto', 'light', 'dark'];

function setTheme(theme) {
  if (theme === 'auto') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset.theme = theme;
  find('#theme').textContent = `Theme: ${theme}`;
  try { localStorage.setItem('cranfield-theme', theme); } catch { /* A page without storage forgets it. */ }
}

function nextTheme() {
  const now = document.documentElement.dataset.theme ?? 'auto';
  setTheme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
}

function knownTheme() {
  try { return localStorage.getItem('cranfield-theme'); } catch { return null; }
}

function pressKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || find('dialog[open]')) return;
  if (event.target.closest('input, select, textarea')) return;
  const inList = Boolean(event.target.closest('.topic-list'));
  const step = { j: 1, k: -1, ...(inList ? { ArrowDown: 1, ArrowUp: -1 } : {}) }[event.key];
  if (step) {
    stepTopic(step);
    if (inList) find('.topic-list [aria-current]')?.focus();
  } else if (event.key === '/') {
    find('#topic-search')?.focus();
    find('#topics').scrollIntoView();
  } else if (event.key === '?') showHelp();
  else if (event.key === 'd') nextTheme();
  else return;
  event.preventDefault();
}

function start() {
  findAll('table.sortable').forEach(makeSortable);
  makeValuesAsk(document);
  makeTabs();
  findAll('.plot').forEach(makeExports);
  startTopics();
  startClaims();
  find('.tools').hidden = false;
  find('#theme').addEventListener('click', nextTheme);
  find('#help-button').addEventListener('click', showHelp);
  document.addEventListener('keydown', pressKey);
  const theme = knownTheme();
  if (THEMES.includes(theme)) setTheme(theme);
}

start();
