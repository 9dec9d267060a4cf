// Reads where traces go from the variables that OpenTelemetry has for it.

import { z } from "zod";
import type { TracingSettings } from "./tracing.ts";

/** The variables of OpenTelemetry that count here; all its others have no effect. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** `name=value` pairs with commas between them. */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(
      /^[^=,\s]+=[^,]+(,[^=,\s]+=[^,]+)*$/,
      "must be name=value pairs with commas between them",
    )
    .optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default("basehost"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
};

const schema = z.object(tracingVariables);

/** Undefined without a collector. Values of headers may be percent-encoded, as OpenTelemetry has it. */
export function readTracingSettings(values: z.infer<typeof schema>): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: pairs } = values;
  if (endpoint === undefined) return undefined;
  const headers = (pairs?.split(",") ?? []).map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const;
  });
  return {
    endpoint,
    headers: Object.fromEntries(headers),
    serviceName: values.OTEL_SERVICE_NAME,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
