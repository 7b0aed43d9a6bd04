// The claim about any two runs.

const claimState = { measure: 0, first: 0, second: 0 };

function claimText(pair) {
  const [, , verdict, says, butNot] = pair;
  return element('p', {}, element('span', { class: `verdict ${verdict}` }, verdict), ' ', says, ' ', element('span', { class: 'but' }, butNot));
}

function isChosen([a, b]) {
  const { first, second } = claimState;
  return (a === first && b === second) || (a === second && b === first);
}

/** Marks the chosen claim in the list of its measure, or shows it if the list lacks it. */
async function showClaim() {
  const pairs = JSON.parse(await unpack(data.claims[claimState.measure]));
  const list = findAll('details.claims')[claimState.measure];
  const listed = findAll('li', list).find(item => isChosen(item.dataset.pair.split(' ').map(Number)));
  findAll('.claims .lit').forEach(item => item.classList.remove('lit'));
  listed?.classList.add('lit');
  if (listed) list.open = true;
  const pair = pairs.find(isChosen);
  const same = claimState.first === claimState.second;
  const quiet = same ? 'Choose two different runs.' : listed ? 'Marked below.' : 'These runs were not compared: neither is a baseline.';
  find('#claim-text').replaceChildren(pair && !listed ? claimText(pair) : element('p', { class: 'quiet' }, quiet));
}

function startClaims() {
  const view = find('#claim-view');
  if (!view || !data.claims.length) return;
  [claimState.first, claimState.second] = data.measures[0].order;
  const names = data.runs.map((name, run) => [run, name]);
  const chosen = key => value => { claimState[key] = value; showClaim(); };
  const measures = data.claims.map((_, at) => [at, data.measures[at].name]);
  view.append(
    element('div', { class: 'pair' }, choice('Measure', measures, 0, chosen('measure')),
      choice('Run', names, claimState.first, chosen('first')), choice('Against', names, claimState.second, chosen('second'))),
    element('div', { id: 'claim-text', 'aria-live': 'polite' }));
  view.hidden = false;
  showClaim();
}
