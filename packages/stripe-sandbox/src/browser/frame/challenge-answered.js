/** Runs in the challenge's frame once it is done, and notifies the embedding page. */
parent.postMessage({ type: "stripe-sandbox-challenge-answered" }, "*");
