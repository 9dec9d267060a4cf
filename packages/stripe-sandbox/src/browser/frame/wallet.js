/** The window of a wallet. It tells the embedding page whether its owner agreed. */

const names = { google_pay: "Google Pay", link: "Link" };
const wallet = new URLSearchParams(location.search).get("wallet");
document.querySelector("#wallet").textContent = names[wallet] ?? "";

const answer = (isAccepted) =>
  parent.postMessage({ type: "stripe-sandbox-challenge-answered", isAccepted }, "*");

document.querySelector("#confirm").addEventListener("click", () => answer(true));
document.querySelector("#cancel").addEventListener("click", () => answer(false));
