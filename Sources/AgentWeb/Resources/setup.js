import { h } from "./elements.js";
import { keep, refusal, send, signIn } from "./session.js";

const secret = decodeURIComponent(location.hash.slice(1));
const trouble = document.getElementById("trouble");
const form = document.querySelector("form");
const value = (id) => document.getElementById(id).value;

// The secret stands in no history and in no address that somebody copies.
history.replaceState(null, "", location.pathname);
if (!secret) {
  form.replaceWith(h("p", { class: "notice bad", role: "alert" },
    "This page needs the one-time link that the agent printed when it was first started."));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  trouble.textContent = "";
  if (value("password") !== value("again")) {
    trouble.textContent = "The passwords differ.";
    return document.getElementById("again").focus();
  }
  const button = document.getElementById("send");
  button.disabled = true;
  try {
    await setUp();
  } catch (error) {
    trouble.textContent = error.message;
  }
  button.disabled = false;
});

async function setUp() {
  const response = await send("/api/v1/setup", {
    method: "POST",
    signed: false,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ secret, name: value("name"), password: value("password") }),
  });
  if (!response.ok) throw new Error(await refusal(response));
  keep(await signIn(value("name"), value("password")));
  form.parentElement.replaceChildren(
    h("h2", null, "Done"),
    h("p", null, `${value("name")} administers this agent now. The link is of no use any more.`),
    h("p", null, h("a", { href: "/api" }, "Go to the API")),
  );
}
