// Reads answers that come bit by bit: server-sent events, and lines of JSON.

// Calls `take` with each piece of text, until the answer or the patience of `signal` ends.
async function pieces(response, take) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    take(value);
  }
}

// Calls `take` with each event: its name, its id and its data. Comments, which keep the connection
// alive, are passed over.
export function readEvents(response, take) {
  let rest = "";
  return pieces(response, (text) => {
    const blocks = (rest + text.replaceAll("\r\n", "\n")).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const event = { name: "message", id: "", data: [] };
      for (const line of block.split("\n")) {
        const [, field, value] = line.match(/^([a-z]+): ?(.*)$/s) ?? [];
        if (field === "event") event.name = value;
        else if (field === "id") event.id = value;
        else if (field === "data") event.data.push(value);
      }
      if (event.data.length > 0) take(event.name, event.id, event.data.join("\n"));
    }
  });
}

// Calls `take` with each line that isn't empty.
export function readLines(response, take) {
  let rest = "";
  return pieces(response, (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.trim() !== "") take(line);
  });
}
