/**
 * Makes a value when it is first asked for, and once. For what takes long to make and is not always needed, as formats of `Intl`: 20 to 60 ms each on a slow phone.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
