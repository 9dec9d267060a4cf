/** Runs in the challenge's frame once it was answered: tells the page that showed it. */
parent.postMessage({ type: "stripe-sandbox-challenge-answered" }, "*");
