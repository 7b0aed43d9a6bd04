// What must hold on every page: nothing wrong on the console, nothing that the Content-Security-Policy stopped, no violation of
// WCAG 2.2 AA that axe finds, and nothing wider than the window; at two widths, light and dark. Screenshots go to target/browser/campaign.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { folder } from '../browser.mjs';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const WIDTHS = [1280, 360];
const shots = path.join(folder, 'campaign');
fs.rmSync(shots, { recursive: true, force: true });
fs.mkdirSync(shots, { recursive: true });

/** What is wrong with pages that were looked at. The test fails at its end, with all of it. */
export const faults = [];
/** The addresses of pages that were looked at and of files that were read. */
const seen = new Set();
const checked = new Set();

/** Collects what must not happen on any page of a context. An answer with an expected error status is no fault. */
export async function watch(context, address) {
  const wrong = [];
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
  });
  context.on('console', message => {
    if (!message.text().startsWith('Failed to load resource: the server responded with a status of 4')) wrong.push(`console ${message.type()}: ${message.text()}`);
  });
  context.on('weberror', error => wrong.push(`error: ${error.error()}`));
  context.on('dialog', dialog => { wrong.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  context.on('request', request => {
    if (!request.url().startsWith(`${address}/`) && !request.url().startsWith('data:')) wrong.push(`request: ${request.url()}`);
  });
  context.on('response', response => {
    const is_part = response.request().resourceType() !== 'document';
    if (response.status() >= 500 || (is_part && response.status() >= 400)) wrong.push(`${response.status()}: ${response.url()}`);
  });
  return wrong;
}

/** The address of a page without what differs between campaigns, teams and entries. */
export function pattern(url) {
  const { pathname, searchParams } = new URL(url);
  const kept = pathname.replace(/^\/c\/[^/]+/, '/c/{slug}').replace(/\/\d+(?=\/|$)/g, '/{n}').replace(/^\/(setup|join)\/.+/, '/$1/{secret}');
  const asked = [...searchParams.keys()].sort().join('&');
  return asked ? `${kept}?${asked}` : kept;
}

/** What axe judges: the elements of a page with their classes, without text. */
const structure = () => [...new Set([...document.querySelectorAll('body *')].map(one =>
  `${one.parentElement.tagName}.${one.parentElement.className}>${one.tagName}.${one.getAttribute('class')} ${one.getAttributeNames().join()}`))].sort().join('\n');

const tooWide = () => {
  const root = document.documentElement;
  const wide = [];
  if (root.scrollWidth > root.clientWidth) wide.push(`the page is ${root.scrollWidth} wide`);
  for (const one of document.querySelectorAll('body *')) {
    const box = one.getBoundingClientRect();
    if (one.closest('.visually-hidden, .skip, svg, .table, .scroll, pre, nav') || box.width === 0) continue;
    if (box.right > root.clientWidth + 1 || box.left < -1) wide.push(`${one.tagName}.${one.className} from ${box.left} to ${box.right}: ${one.textContent.slice(0, 40)}`);
  }
  return wide;
};

const unnamed = () => [...document.querySelectorAll('button, select, input:not([type=hidden], [hidden]), textarea, svg[role=img]')].filter(one =>
  !(one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim()).map(one => one.outerHTML.slice(0, 100));

/** Checks the page that is open. `name` names its screenshots. */
export async function look(page, name) {
  const of = pattern(page.url());
  seen.add(new URL(page.url()).pathname);
  const expect = (found, where) => faults.push(...found.map(fault => `${name}${where}: ${fault}`));
  expect(await page.title() ? [] : ['no title'], '');
  expect(await page.$$eval('h1', found => found.length === 1 ? [] : [`${found.length} first headings`]), '');
  expect(await page.evaluate(unnamed), ', without a name');
  const is_known = checked.has(`${of} ${await page.evaluate(structure)}`);
  checked.add(`${of} ${await page.evaluate(structure)}`);
  if (!is_known) await page.evaluate(axe);
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(tooWide), `, ${width} wide`);
      if (!is_known) {
        const { violations } = await page.evaluate(tags => window.axe.run({ runOnly: tags, resultTypes: ['violations'] }), TAGS);
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => `${node.html} ${node.failureSummary}`).join('\n')}`), `, ${width} wide, ${colorScheme}`);
      }
      await page.screenshot({ path: path.join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
}

/** Opens and checks everything below `within` that can be reached by links from a page, one page for each pattern of addresses. Files must be sent whole. */
export async function crawl(page, from, name, within = '/') {
  const known = new Set();
  const waiting = [new URL(from, page.url()).href];
  while (waiting.length > 0) {
    const url = waiting.shift();
    const answer = await page.request.head(url);
    const headers = answer.headers();
    // A page that needs an account asks to sign in.
    if (![200, 401].includes(answer.status())) faults.push(`${name}: ${answer.status()} for the link to ${url}`);
    seen.add(new URL(url).pathname);
    if (!headers['content-type'].startsWith('text/html') || headers['content-disposition']) continue;
    await page.goto(url);
    await look(page, `${name}${pattern(url).replaceAll(/[^a-z0-9]+/g, '-').replace(/-$/, '')}`);
    for (const link of await page.$$eval('a[href]', found => found.map(one => one.href.split('#')[0]))) {
      if (!link.startsWith(new URL(within, url).href) || known.has(pattern(link))) continue;
      known.add(pattern(link));
      waiting.push(link);
    }
  }
}

/** Compares the pages and files that were looked at with those that the server describes, so that a new one without a check is noticed. */
export async function complete(page, but) {
  const { paths } = await (await page.request.get('/api/v1/openapi.json')).json();
  const own = Object.keys(paths).filter(path => paths[path].get).map(path => path.replace('/api/v1', '') || '/');
  const is_seen = path => [...seen].some(one => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(one));
  faults.push(...own.filter(path => !but.includes(path) && !is_seen(path)).map(path => `no one looked at ${path}`));
}
