// People who use the pages: with a mouse and a keyboard, with a keyboard alone, or without scripts.

import assert from 'node:assert/strict';
import { faults, watch } from './look.mjs';

export const PASSWORD = 'correct horse battery';

/** Asks again until the answer is as expected, since a board may be some seconds behind its entries. */
export async function until(ask, is_there) {
  for (let tries = 0; tries < 80; tries += 1) {
    const answer = await ask();
    if (is_there(answer)) return answer;
    await new Promise(resolve => setTimeout(resolve, 250));
  }
  throw new Error('the answer is not as expected after 20 s');
}

export class Actor {
  static async enter(browser, server, options = {}) {
    const context = await browser.newContext({
      baseURL: server.address, viewport: { width: 1280, height: 800 }, acceptDownloads: true, reducedMotion: 'reduce', ...options,
    });
    context.setDefaultTimeout(15_000);
    const actor = new Actor();
    Object.assign(actor, { context, server, wrong: await watch(context, server.address), page: await context.newPage() });
    return actor;
  }

  async go(path) {
    return await this.page.goto(path);
  }

  /** Fills the fields with these labels. */
  async fill(fields) {
    for (const [label, value] of Object.entries(fields)) {
      const field = this.page.getByLabel(label, { exact: false }).first();
      const kind = await field.evaluate(one => one.type);
      if (kind === 'file') await field.setInputFiles(value);
      else if (kind === 'select-one') await field.selectOption(value);
      else await field.fill(value);
    }
  }

  /** Presses a button and waits for the page that follows. */
  async press(name, at = 0) {
    await this.page.getByRole('button', { name, exact: true }).nth(at).click();
    await this.page.waitForLoadState();
  }

  async text(selector = 'main') {
    return (await this.page.locator(selector).first().innerText()).replaceAll(/\s+/g, ' ').trim();
  }

  async join(code, { team, login, name = login }) {
    await this.go(`/join/${code}`);
    await this.fill({ 'Name of your team': team, Login: login, 'Your name': name, Password: PASSWORD });
    await this.press('Join');
    assert.match(this.page.url(), /\/c\//, await this.text());
  }

  /** Sends a run and returns the state of its entry once it is known. */
  async submit(slug, file, description = '') {
    await this.go(`/c/${slug}/submit`);
    await this.fill({ Description: description, 'Run, up to': file });
    await this.press('Send');
    return await this.result();
  }

  /** The state of the entry that is shown. Pages without scripts are loaded again by hand. */
  async result() {
    for (let tries = 0; tries < 60; tries += 1) {
      const state = await this.text('ul.facts li');
      if (state !== 'pending') return state;
      await new Promise(resolve => setTimeout(resolve, 250));
      await this.page.reload();
    }
    throw new Error(`still pending: ${this.page.url()}`);
  }

  /** The rows of a board as text, by team. */
  async board(slug, query = '') {
    const answer = await this.context.request.get(`/api/v1/c/${slug}/board${query}`);
    assert.equal(answer.status(), 200);
    const { rows } = await answer.json();
    return new Map(rows.map(row => [row.team, row]));
  }

  /** Moves the focus with Tab until it is on what has this name, and checks that it can be seen. */
  async tabTo(role, name) {
    const wanted = this.page.getByRole(role, { name }).first();
    for (let steps = 0; steps < 120; steps += 1) {
      await this.page.keyboard.press('Tab');
      if (await wanted.evaluate(one => one === document.activeElement)) {
        const { outline, hidden } = await wanted.evaluate(one => {
          const box = one.getBoundingClientRect();
          const bar = document.querySelector('nav').getBoundingClientRect();
          const style = getComputedStyle(one);
          const in_bar = one.closest('nav') !== null;
          return { outline: `${style.outlineStyle} ${style.outlineWidth}`, hidden: box.bottom > innerHeight + 1 || (!in_bar && box.top < bar.bottom - 1) };
        });
        assert.match(outline, /solid [1-9]|auto [1-9]/, `the focus on ${name} cannot be seen`);
        assert.equal(hidden, false, `${name} has the focus and is hidden`);
        return;
      }
    }
    throw new Error(`the focus does not reach ${role} ${name} on ${this.page.url()}`);
  }

  /** Fills a field that the keyboard reaches, as someone who types. */
  async type(label, value) {
    await this.tabTo('textbox', label);
    await this.page.keyboard.insertText(value);
  }

  async close() {
    faults.push(...this.wrong);
    await this.context.close();
  }
}
