// The session: a token, kept while this tab is open.
const key = "bulkhead.session";

export function session() {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null;
  }
}

export function keep(session) {
  if (session) sessionStorage.setItem(key, JSON.stringify(session));
  else sessionStorage.removeItem(key);
}

// Sends a request with the token of the session, where there is one.
export function send(path, options = {}) {
  const headers = new Headers(options.headers);
  const token = session()?.token;
  if (token && options.signed !== false) headers.set("Authorization", `Bearer ${token}`);
  return fetch(path, { ...options, headers, credentials: "omit", cache: "no-store" });
}

// Makes a session with a name and a password.
export async function signIn(user, password) {
  const response = await send("/api/v1/sessions", {
    method: "POST",
    signed: false,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ user, password }),
  });
  if (!response.ok) throw new Error(await refusal(response));
  const { token, name } = await response.json();
  return { token, name, ends: true };
}

// Ends the session. A token that was pasted goes on: others may use it.
export async function signOut() {
  const now = session();
  if (now?.ends) await send("/api/v1/sessions/current", { method: "DELETE" }).catch(() => {});
  keep(null);
}

// The sentence of a refusal: problem details (RFC 9457), or whatever there is.
export async function refusal(response) {
  let body = null;
  try {
    body = await response.json();
  } catch {
    return `The host responded with status ${response.status}.`;
  }
  const problems = (body.problems ?? []).map((problem) => problem.message).filter(Boolean);
  const sentence = body.detail ?? body.title ?? body.error?.message ?? `The host responded with status ${response.status}.`;
  return [sentence, ...problems.filter((problem) => !sentence.includes(problem))].join(" ");
}
