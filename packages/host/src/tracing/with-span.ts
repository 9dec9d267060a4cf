import { SpanStatusCode, trace, type Attributes, type Span } from "@opentelemetry/api";

/** What is said of an error: its code or its class. Its message may hold a member's data. */
function kindOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : typeof name === "string" ? name : "unknown";
}

/** Runs `work` in a span of the trace that is under way. Costs next to nothing while no collector is named. */
export async function withSpan<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return await trace.getTracer("basehost").startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setAttribute("error.type", kindOf(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
