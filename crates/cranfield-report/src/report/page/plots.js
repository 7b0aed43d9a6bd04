// Plots that can be saved: as they are drawn, as pixels, and as data.

const PIXELS = 3;

function svgText(figure) {
  const drawing = find('svg', figure).cloneNode(true);
  return `${new XMLSerializer().serializeToString(drawing)}\n`;
}

/** The plot on a canvas, in the colours of paper. */
function pngOf(figure) {
  const { width, height } = find('svg', figure).viewBox.baseVal;
  const source = new Blob([svgText(figure)], { type: 'image/svg+xml' });
  const url = URL.createObjectURL(source);
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const canvas = element('canvas', { width: Math.round(PIXELS * width), height: Math.round(PIXELS * height) });
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(url);
      canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('the canvas is too large'))), 'image/png');
    };
    image.onerror = () => reject(new Error('the plot cannot be drawn'));
    image.src = url;
  });
}

function makeExports(figure) {
  const plot = data.plots[Number(figure.dataset.plot)];
  const name = `cranfield-${plot.kind}`;
  const saves = {
    SVG: () => download(`${name}.svg`, svgText(figure), 'image/svg+xml'),
    PNG: async () => download(`${name}.png`, await pngOf(figure)),
    CSV: async () => download(`${name}.csv`, await unpack(plot.csv), 'text/csv'),
    'Vega-Lite': async () => download(`${name}.vl.json`, await unpack(plot.vega), 'application/json'),
  };
  const title = find('h3', figure).textContent;
  const buttons = Object.entries(saves).map(([format, save]) =>
    element('button', { type: 'button', 'aria-label': `Save ${title} as ${format}`, onclick: save }, format));
  find('.drawing', figure).after(element('div', { class: 'exports' }, ...buttons));
  useCells(figure, plot);
}

/** The topic in a row of the data of a heat map: run, topic, value. */
function topicOf(row) {
  const [, name = ''] = row?.match(/^(?:"(?:[^"]|"")*"|[^,]*),("(?:[^"]|"")*"|[^,]*),/) ?? [];
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

/** Adds the titles of topics to the tooltips of a heat map: run, topic and value. */
function addTitles(cells, titled) {
  if (!data.titles) return;
  for (const tip of findAll('title', cells)) {
    const [, name = ''] = tip.textContent.match(/, ([^,]*): [^:]*$/) ?? [];
    if (titled(name)) tip.textContent += `\n${titled(name)}`;
  }
}

/**
 * Opens the topic of a cell of a heat map on a click, and shows run, topic and value of the cell under the pointer. The rows of
 * its data are in the order of cells.
 */
function useCells(figure, plot) {
  const cells = find('.cells', figure);
  if (!cells) return;
  const [left, top, width, height, columns] = cells.dataset.grid.split(' ').map(Number);
  let rows;
  const rowAt = async event => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(cells.getScreenCTM().inverse());
    rows ??= (await unpack(plot.csv)).split('\n').slice(1);
    return rows[Math.floor((at.y - top) / height) * columns + Math.floor((at.x - left) / width)];
  };
  cells.addEventListener('click', async event => openTopic(topicOf(await rowAt(event))));
  const titled = name => titleOf(data.topics.indexOf(name));
  if (find('title', cells)) {
    addTitles(cells, titled);
    return;
  }
  const title = cells.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'title'));
  cells.addEventListener('pointermove', async event => {
    const row = await rowAt(event);
    const [, names, value] = row?.match(/^(.*),([^,]*)$/) ?? [];
    const topic = names && titled(topicOf(row));
    title.textContent = names ? `${names.replace(',', ', ')}: ${value ? rounded(Number(value)) : 'no value'}${topic ? `\n${topic}` : ''}` : '';
  });
}
