// Makes elements. Text is always set as text: nothing that an answer holds becomes markup.
export function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const token = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

// JSON with a color for each kind of part; a very long text stays plain.
export function json(text) {
  const pre = h("pre", { tabindex: "0" });
  if (text.length > 200000) {
    pre.append(text);
    return pre;
  }
  let end = 0;
  for (const match of text.matchAll(token)) {
    pre.append(text.slice(end, match.index));
    const [whole, string, colon, number] = match;
    const kind = string ? (colon ? "key" : "string") : number ? "number" : "word";
    pre.append(h("span", { class: kind }, string ?? whole), colon ?? "");
    end = match.index + whole.length;
  }
  pre.append(text.slice(end));
  return pre;
}

// JSON in lines, with every number as it was written: JSON.parse would round long ones.
export function arranged(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  let result = "";
  const line = () => "\n" + "  ".repeat(depth);
  const words = text.match(/"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  words.forEach((word, place) => {
    const isEmpty = (word === "{" && words[place + 1] === "}") || (word === "[" && words[place + 1] === "]");
    const wasEmpty = (word === "}" && words[place - 1] === "{") || (word === "]" && words[place - 1] === "[");
    if (word === "{" || word === "[") {
      depth += 1;
      result += word + (isEmpty ? "" : line());
    } else if (word === "}" || word === "]") {
      depth -= 1;
      result += (wasEmpty ? "" : line()) + word;
    } else if (word === ",") result += word + line();
    else result += word === ":" ? ": " : word;
  });
  return result;
}
