/** Turns nested parameters into form pairs: `a[b][0]=…`. */
export function formPairs(params, prefix = "") {
  return Object.entries(params).flatMap(([key, value]) => {
    const name = prefix === "" ? key : `${prefix}[${key}]`;
    if (value === undefined || value === null) return [];
    if (typeof value === "object") return formPairs(value, name);
    return [[name, String(value)]];
  });
}

/** Calls the API with the publishable key. Resolves to `{ object }` or `{ error }`. */
export async function callApi(provider, method, path, params) {
  const url = new URL(`${provider.base}/v1/${path}`);
  const body = new URLSearchParams(formPairs(params));
  if (method === "GET") url.search = body;
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${provider.publishableKey}` },
      credentials: "omit",
      ...(method === "POST" ? { body } : {}),
    });
    const answer = await response.json();
    return answer.error ? { error: answer.error } : { object: answer };
  } catch {
    const message =
      "We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.";
    return { error: { type: "api_connection_error", message } };
  }
}
