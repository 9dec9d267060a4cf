import type * as z from "zod";
import { readParams } from "./params.ts";
import type { FormObject } from "./form.ts";
import type { World } from "../world.ts";

export interface Call<P> {
  world: World;
  params: P;
  /** The path's `:id`, or "". */
  id: string;
  /** Path as the client asked for it, for lists. */
  url: string;
  /** Asked with the publishable key, by a browser. */
  isPublic: boolean;
}

export interface Route {
  method: "DELETE" | "GET" | "POST";
  /** Segments after /v1, with `:id` for the object. */
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

/** The route for a path below /v1 and its `:id`. */
export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; id: string } | undefined {
  const asked = path.split("/").filter((part) => part !== "");
  for (const candidate of routes) {
    if (candidate.method !== method) continue;
    const parts = candidate.path.split("/").filter((part) => part !== "");
    if (parts.length !== asked.length) continue;
    let id = "";
    const fits = parts.every((part, place) => {
      const given = asked[place] ?? "";
      if (part !== ":id") return part === given;
      id = given;
      return true;
    });
    if (fits) return { route: candidate, id };
  }
  return undefined;
}
