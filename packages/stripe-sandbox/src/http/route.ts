import type * as z from "zod";
import { readParams } from "./params.ts";
import type { FormObject } from "./form.ts";
import type { SandboxState } from "../sandbox-state.ts";

export interface Call<P> {
  state: SandboxState;
  params: P;
  /** The path's `:id`, or "". */
  id: string;
  /** Path of the request, for the `url` of lists. */
  url: string;
  /** Called with the publishable key, by a browser. */
  isPublic: boolean;
}

export interface Route {
  method: "DELETE" | "GET" | "POST";
  /** Path below /v1, with `:id` for the object, as Hono's router reads it. */
  path: string;
  /** May be called with the publishable key. */
  isPublic: boolean;
  run: (call: Omit<Call<FormObject>, "params"> & { raw: FormObject }) => object;
}

/** Declares an endpoint: parameters are checked by the schema before `handle` sees them. */
export function route<S extends z.ZodType>(
  method: Route["method"],
  path: string,
  schema: S,
  handle: (call: Call<z.infer<S>>) => object,
  isPublic = false,
): Route {
  return {
    method,
    path,
    isPublic,
    run: ({ raw, ...call }) => handle({ ...call, params: readParams(schema, raw) }),
  };
}
