// Opens reports in a browser and uses them as a reader would: sorting, a topic, two rankings, explanations, saving a plot, keys,
// light and dark, paper. Any error of the page, any message on its console and any request but for the file itself fails.
//
// CRANFIELD_BIN is the program, CHROMIUM the browser, CRANFIELD_SHARED the folder with real runs; without it, the examples are used.
// Screenshots go to target/browser.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { folder, program, root, shared, withBrowser } from './browser.mjs';

function collections() {
  const tracks = shared('golden/tracks', 'the examples are used');
  if (!tracks) return [{ name: 'examples', qrels: path.join(root, 'examples/qrels.txt'), runs: path.join(root, 'examples/runs') }];
  return [
    { name: 'covid-round1', qrels: path.join(tracks, 'covid-round1/qrels-rnd1.txt'), runs: path.join(tracks, 'covid-round1/runs') },
    { name: 'robust03', qrels: path.join(tracks, 'robust03/qrels.txt.gz'), runs: path.join(tracks, 'robust03/runs') },
  ];
}

/** Makes a report and returns its file. */
function write({ name, qrels, runs }) {
  const file = path.join(folder, `${name}.html`);
  execFileSync(program, ['report', qrels, runs, '-o', file, '--quiet']);
  assert.ok(fs.statSync(file).size < 3e6, `${name} is larger than 3 MB`);
  return file;
}

/** The values that the program itself prints, by run. */
function means({ qrels, runs }, measure) {
  const text = execFileSync(program, ['report', qrels, runs, '-m', measure, '-f', 'csv', '--quiet'], { encoding: 'utf8' });
  const rows = text.trim().split('\n').slice(1).map(line => line.split(','));
  return new Map(rows.map(row => [row[1], Number(row[3])]));
}

/** Collects everything that must not happen. */
function watch(page, file) {
  const wrong = [];
  const own = pathToFileURL(file).href;
  page.on('console', message => wrong.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', error => wrong.push(`error: ${error}`));
  page.on('request', request => {
    const url = request.url();
    if (url !== own && !url.startsWith(`${own}#`) && !url.startsWith('blob:') && !url.startsWith('data:')) wrong.push(`request: ${url}`);
  });
  return wrong;
}

const texts = (page, selector) => page.$$eval(selector, found => found.map(one => one.textContent.trim()));

async function sorting(page, collection) {
  const board = '.board:not([hidden])';
  const expected = means(collection, 'nDCG@10');
  const shown = await texts(page, `${board} tbody td.value`);
  assert.equal(shown.length, expected.size);
  const names = await page.$$eval(`${board} tbody th`, found => found.map(one => one.firstChild.textContent.trim()));
  names.forEach((name, at) => assert.equal(shown[at], expected.get(name).toFixed(4), name));
  const heading = page.locator(`${board} thead th`, { hasText: 'run' }).first().locator('button');
  await heading.focus();
  await page.keyboard.press('Enter');
  const sorted = await page.$$eval(`${board} tbody th`, found => found.map(one => one.firstChild.textContent.trim()));
  assert.deepEqual(sorted, [...sorted].sort(new Intl.Collator('en', { numeric: true }).compare));
  assert.equal(await page.locator(`${board} th[aria-sort="ascending"]`).count(), 1);
  await page.locator('[role=tab]', { hasText: 'AP' }).first().click();
  assert.match((await texts(page, '.board:not([hidden]) h3'))[0], /AP/);
  await page.keyboard.press('ArrowLeft');
  assert.match((await texts(page, '.board:not([hidden]) h3'))[0], /nDCG@10/);
}

async function topics(page) {
  const before = await page.locator('.topic h3').first().textContent();
  await page.locator('body').press('j');
  await page.waitForFunction(text => document.querySelector('.topic h3').textContent !== text, before);
  await page.locator('body').press('k');
  await page.waitForFunction(text => document.querySelector('.topic h3').textContent === text, before);
  await page.locator('body').press('/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'topic-search');
  const last = (await texts(page, '.topic-list li')).at(-1);
  await page.keyboard.type(last);
  await page.keyboard.press('Enter');
  await page.waitForFunction(text => document.querySelector('.topic h3').textContent.startsWith(`Topic ${text}`), last);
  assert.equal(await page.locator('.topic-list li').count(), 1);
  assert.equal(await page.evaluate(() => location.hash), `#topic=${encodeURIComponent(last)}`);
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('.topic-list li').count() > 1);
  assert.ok(await page.locator('.strip .g').count() > 0);
}

/** Follows links to some topics, whose values must be those that `eval` prints. */
async function linkedTopics(page, collection) {
  const text = execFileSync(program, ['eval', collection.qrels, collection.runs, '--per-topic', '-f', 'md', '--quiet'], { encoding: 'utf8' });
  const lines = text.split('\n').filter(line => line.startsWith('|')).slice(2);
  const cells = lines.map(line => line.replaceAll('\\', '').split('|').slice(1, -1).map(cell => cell.trim()));
  const values = new Map(cells.map(([name, ...numbers]) => [name, numbers]));
  const names = (await texts(page, '.topic-list li')).slice(0, 12);
  for (const name of names) {
    await page.evaluate(id => { location.hash = `#topic=${encodeURIComponent(id)}`; }, name);
    await page.waitForFunction(id => document.querySelector('.topic h3').textContent.startsWith(`Topic ${id}←`), name);
    const shown = await page.$$eval('.topic table.sortable tbody tr', found => found.map(row =>
      [row.querySelector('th').textContent, ...[...row.querySelectorAll('td.n')].map(cell => cell.textContent)]));
    for (const [of, ...numbers] of shown) {
      assert.deepEqual(numbers, values.get(`${of} ${name}`).slice(0, numbers.length), `${of}, topic ${name}`);
    }
  }
}

async function sideBySide(page) {
  const [first, second] = await page.$$('.rankings ol');
  const docs = async list => list.$$eval('.doc', found => found.map(one => one.textContent));
  const [a, b] = [await docs(first), await docs(second)];
  const common = a.filter(doc => b.includes(doc));
  assert.equal(await page.locator('.rankings svg path').count(), common.length);
  const moves = await first.$$eval('li', found => found.map(one => one.querySelector('.move').textContent));
  a.forEach((doc, at) => {
    const other = b.indexOf(doc);
    const text = other < 0 ? /^not in first/ : other === at ? /^=$/ : new RegExp(`^${other > at ? '▲' : '▼'}${Math.abs(other - at)}$`);
    assert.match(moves[at], text, doc);
  });
  await page.locator('#topics .pair select').nth(1).selectOption({ index: 0 });
  const chosen = await page.locator('#topics .pair select').nth(1).evaluate(select => select.selectedOptions[0].textContent);
  assert.equal((await texts(page, '.rankings h4'))[1], chosen);
}

async function explanations(page) {
  await page.locator('.topic tbody tr').first().locator('button.value').first().click();
  const dialog = page.locator('#explanation');
  // The rankings of a topic are unpacked first.
  const ofTopic = dialog.locator('h2', { hasText: 'of topic ' });
  await ofTopic.waitFor();
  const title = await dialog.locator('h2').textContent();
  const value = Number(title.match(/: ([\d.]+)Close$/)[1]);
  const cells = await dialog.locator('tbody tr').evaluateAll(rows => rows.map(row => row.cells[row.cells.length - 2].textContent));
  const sum = cells.reduce((total, text) => total + Number(text || 0), 0);
  assert.ok(Math.abs(sum - value) < 6e-4, `shares of ${title} come to ${sum}`);
  await page.keyboard.press('Escape');
  assert.equal(await dialog.evaluate(one => one.open), false);
  await page.locator('.board:not([hidden]) td.value button').first().click();
  assert.match(await dialog.locator('h2').textContent(), /nDCG@10 of /);
  await dialog.locator('tbody button').first().click();
  await ofTopic.waitFor();
  await page.keyboard.press('Escape');
}

async function saved(page, figure, format) {
  const waiting = page.waitForEvent('download');
  await figure.locator('.exports button', { hasText: format }).click();
  return fs.readFileSync(await (await waiting).path());
}

async function exportsOf(page) {
  const figure = page.locator('#plot-heatmap');
  const svg = (await saved(page, figure, 'SVG')).toString();
  assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.match(svg, /<title>nDCG@10 by run and topic<\/title>/);
  const png = await saved(page, figure, 'PNG');
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.ok(png.readUInt32BE(16) > 1000, 'the PNG is narrow');
  const csv = (await saved(page, figure, 'CSV')).toString();
  assert.match(csv, /^run,topic,nDCG@10\n/);
  const vega = JSON.parse((await saved(page, figure, 'Vega-Lite')).toString());
  assert.match(vega.$schema, /vega-lite/);
  await everyPlotHasData(page);
}

/** Clicks CSV of each plot. What would be saved is caught before the browser does it, which allows only so many files in a row. */
async function everyPlotHasData(page) {
  await page.evaluate(() => {
    const make = URL.createObjectURL;
    window.made = [];
    URL.createObjectURL = blob => { window.made.push(blob); return make(blob); };
    HTMLAnchorElement.prototype.click = () => {};
  });
  const kinds = await page.$$eval('.plot', all => all.map(one => one.id));
  assert.ok(kinds.length > 10, `${kinds.length} plots`);
  for (const [at, kind] of kinds.entries()) {
    await page.locator(`#${kind} .exports button`, { hasText: 'CSV' }).click();
    await page.waitForFunction(at => window.made.length > at, at);
    const data = await page.evaluate(() => window.made.at(-1).text());
    assert.ok(data.split('\n').length > 1, kind);
  }
}

/** The chosen claim is marked in a list or shown above it, and is on the page once. */
async function claims(page) {
  const chosen = '#claim-text p:not(.quiet), .claims li.lit';
  await page.waitForSelector(chosen);
  const [first, ...more] = await texts(page, chosen);
  assert.deepEqual(more, []);
  assert.match(first, /nDCG@10/);
  const all = await page.$$eval('#claim-text p, .claims li', found => found.map(one => one.textContent.trim()));
  assert.equal(all.filter(text => text === first).length, 1);
  await page.locator('#claim-view select').nth(0).selectOption({ index: 1 });
  await page.waitForFunction(selector => / AP /.test(document.querySelector(selector)?.textContent), chosen);
}

/** A cell of the heat map opens its topic, which its title names. */
async function heatmap(page) {
  await page.evaluate(() => history.replaceState(null, '', '#plots'));
  const cells = page.locator('#plot-heatmap .cells');
  await cells.scrollIntoViewIfNeeded();
  await cells.hover({ position: { x: 3, y: 3 } });
  await cells.click({ position: { x: 3, y: 3 } });
  await page.waitForFunction(() => location.hash.startsWith('#topic='));
  const name = decodeURIComponent((await page.evaluate(() => location.hash)).slice('#topic='.length));
  const title = await cells.locator('title').first().textContent();
  assert.ok(title.includes(`, ${name}: `), `topic ${name} of the cell ${title}`);
  await page.waitForFunction(id => document.querySelector('.topic h3').textContent.startsWith(`Topic ${id}←`), name);
}

/** The order of sections is that of the navigation, and the common part of captions is said once. */
async function order(page) {
  const sections = await page.$$eval('main > section', found => found.map(one => one.id));
  assert.deepEqual(sections.slice(0, 4), ['leaderboard', 'claims', 'topics', 'plots']);
  const links = await page.$$eval('nav a', found => found.map(one => one.getAttribute('href').slice(1)));
  assert.deepEqual(links, sections);
  assert.deepEqual((await texts(page, 'figcaption')).filter(text => text.includes('Policies: ')), []);
  assert.match((await texts(page, '#plots .lead'))[0], /Policies: /);
}

async function helpAndTheme(page) {
  await page.locator('body').press('?');
  assert.equal(await page.locator('#help').evaluate(one => one.open), true);
  await page.keyboard.press('Escape');
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = 'rgb(23, 24, 26)', light = 'rgb(255, 255, 255)';
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.equal(await paper(), dark);
  await page.locator('#theme').click();
  assert.equal(await paper(), light);
  await page.locator('#theme').click();
  await page.emulateMedia({ colorScheme: 'light' });
  assert.equal(await paper(), dark);
  await page.locator('#theme').click();
  assert.equal(await paper(), light);
}

async function names(page) {
  const unnamed = await page.$$eval('button, select, input, svg[role=img]', found => found.filter(one => {
    const label = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent;
    return !label.trim();
  }).map(one => one.outerHTML.slice(0, 100)));
  assert.deepEqual(unnamed, []);
  const ids = await page.$$eval('[id]', found => found.map(one => one.id));
  assert.equal(new Set(ids).size, ids.length, 'ids are not unique');
}

async function fits(page) {
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(inner <= outer, `the page is ${inner} wide in a window of ${outer}`);
}

/** On a phone figures are as wide as the screen, and nothing of them is cut off. */
async function figuresFit(page, width) {
  const boxes = await page.$$eval('.drawing', found => found.map(box => ({
    right: box.getBoundingClientRect().right, inner: box.scrollWidth, outer: box.clientWidth,
  })));
  assert.ok(boxes.length > 0, 'there are no figures');
  for (const box of boxes) {
    assert.ok(box.right <= width && box.inner <= box.outer, JSON.stringify(box));
  }
}

async function screenshots(page, name) {
  const shot = (what, options = {}) => page.screenshot({ path: path.join(folder, `${name}-${what}.png`), ...options });
  const part = async (selector, what) => {
    const found = page.locator(selector);
    await found.scrollIntoViewIfNeeded();
    await found.screenshot({ path: path.join(folder, `${name}-${what}.png`) });
  };
  await page.evaluate(() => window.scrollTo(0, 0));
  await shot('light');
  await part('#topics', 'topic');
  await part('#plots', 'plots');
  await part('#claims', 'claims');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('#theme').click();
  await page.locator('#theme').click();
  await page.evaluate(() => window.scrollTo(0, 0));
  await shot('dark');
  await part('#topics', 'topic-dark');
  await part('#plots', 'plots-dark');
  await page.locator('#theme').click();
  await page.emulateMedia({ colorScheme: 'light' });
  for (const width of [360, 400]) {
    await page.setViewportSize({ width, height: 800 });
    await fits(page);
    await figuresFit(page, width);
  }
  await shot('narrow', { fullPage: true });
  await part('#plot-heatmap', 'narrow-plot');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('#topics').isVisible(), false);
  assert.equal(await page.locator('.board').last().isVisible(), true);
  // Browsers leave buttons out of headings that come again on the next page.
  const boxes = await page.$$eval('th button.sort', found => found.filter(one => getComputedStyle(one).display !== 'contents').length);
  assert.equal(boxes, 0);
  const folded = await page.$$eval('#claims details', found => found.filter(one => one.lastElementChild.getBoundingClientRect().height === 0).length);
  assert.equal(folded, 0, 'a print has claims that are folded');
  // Two of most plots fit on a page of paper, at 13 cm of 96 pixels to an inch.
  const widest = await page.$$eval('.drawing svg', found => Math.max(...found.map(one => one.getBoundingClientRect().width)));
  assert.ok(widest < 492, `a printed plot is ${widest} pixels wide`);
  await page.pdf({ path: path.join(folder, `${name}.pdf`), format: 'A4' });
  await shot('print', { fullPage: true });
  await page.emulateMedia({ media: 'screen' });
}

async function withoutScript(browser, file) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  for (const selector of ['.board >> nth=1', '#plot-heatmap svg', '#methods p >> nth=0', '.claims li >> nth=0']) {
    assert.ok(await page.locator(selector).first().isVisible(), `${selector} needs a script`);
  }
  await context.close();
}

async function use(context, collection) {
  const file = write(collection);
  const page = await context.newPage();
  const wrong = watch(page, file);
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector('.rankings li');
  const steps = { order, sorting, topics, linkedTopics, sideBySide, explanations, heatmap, exportsOf, claims, helpAndTheme, names, fits };
  for (const [name, step] of Object.entries(steps)) {
    await step(page, collection);
    console.log(`${collection.name}: ${name}`);
  }
  await screenshots(page, collection.name);
  assert.deepEqual(wrong, []);
  await page.close();
  await withoutScript(context.browser(), file);
  console.log(`${collection.name}: without a script`);
}

await withBrowser(async browser => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, reducedMotion: 'reduce' });
  for (const collection of collections()) await use(context, collection);
});
console.log('reports: all well');
