// What every test in a browser needs: the program, Chromium, a folder for screenshots and the shared data.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, 'target');
export const program = process.env.CRANFIELD_BIN ?? path.join(target, 'release/cranfield');
export const folder = path.join(target, 'browser');
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

/** The folder `name` of the shared data; undefined where it is absent, which is an error in continuous integration. */
export function shared(name, instead) {
  const found = path.join(process.env.CRANFIELD_SHARED ?? path.join(root, '../shared'), name);
  if (fs.existsSync(found)) return found;
  if (process.env.CI) throw new Error(`golden data is missing: ${found}`);
  console.log(`skipped: no shared data; ${instead}`);
  return undefined;
}

/** Runs `use` with a browser and a scratch folder, both of which are gone afterwards. */
export async function withBrowser(use) {
  fs.mkdirSync(folder, { recursive: true });
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'cranfield-browser-'));
  const browser = await chromium.launch({ executablePath: browserPath, args: [...FLAGS, `--disk-cache-dir=${scratch}/cache`] });
  try {
    await use(browser, scratch);
  } finally {
    await browser.close();
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
