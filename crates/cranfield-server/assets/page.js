// Live updates. Every page works without this script.

const again = 30000;

/** Loads this page again, as a document whose scripts do not run. */
function load() {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', location.href);
    request.responseType = 'document';
    request.onload = () => (request.status === 200 && request.response ? resolve(request.response) : reject(request.status));
    request.onerror = reject;
    request.send();
  });
}

/** Where an element is among those that take the focus. */
function focusable(main) {
  return [...main.querySelectorAll('a[href], button, input, select, [tabindex]')];
}

/** Puts the main part of a newer page in the place of the one that is shown. The status line stays, so that changes of it are read out. */
function replace(page) {
  const [shown, newer] = [document.getElementById('main'), page.getElementById('main')];
  const [status, next] = [document.getElementById('live'), newer.querySelector('#live')];
  const mark = of => of.getElementById('preview')?.textContent;
  if (!next || mark(page) !== mark(document)) return location.reload();
  const focus = focusable(shown).indexOf(document.activeElement);
  status.dataset.version = next.dataset.version;
  const parts = [...newer.childNodes].map((part) => (part === next ? status : document.adoptNode(part)));
  shown.replaceChildren(...parts);
  if (focus >= 0) focusable(shown)[focus]?.focus({ preventScroll: true });
  status.textContent = 'The board was updated.';
  try { offer(); } catch { /* Storage may be forbidden. */ }
}

/** Follows a board by events, or by asking now and then where events do not arrive. */
function follow(status) {
  let timer;
  const refresh = () => load().then((page) => {
    if (page.getElementById('live')?.dataset.version !== status.dataset.version) replace(page);
  }).catch(() => {});
  const poll = () => { timer ??= setInterval(() => { if (!document.hidden) refresh(); }, again); };
  if (!window.EventSource) return poll();
  const events = new EventSource(status.dataset.events);
  events.addEventListener('open', () => { clearInterval(timer); timer = undefined; });
  events.addEventListener('board', (event) => {
    if (JSON.parse(event.data).version !== status.dataset.version) refresh();
  });
  events.addEventListener('error', () => { if (events.readyState === EventSource.CLOSED) poll(); });
}

/** Waits for the result of an entry. */
function wait(pending) {
  const ask = () => load().then((page) => {
    if (!page.getElementById('pending')) location.reload();
  }).catch(() => {}).finally(() => setTimeout(ask, 2500));
  if (pending) setTimeout(ask, 2500);
}

/** Offers the changes of a board since the last visit, which only this browser knows. */
function offer() {
  const [note, last] = [document.getElementById('visit'), localStorage.getItem(`visit ${location.pathname}`)];
  if (!note || !last) return;
  const address = new URL(location.href);
  address.searchParams.set('since', last);
  note.querySelector('a').href = address.search;
  note.hidden = false;
}

wait(document.getElementById('pending'));
const live = document.getElementById('live');
if (live) {
  follow(live);
  try {
    offer();
    addEventListener('pagehide', () => localStorage.setItem(`visit ${location.pathname}`, Date.now()));
  } catch { /* Storage may be forbidden. */ }
}
