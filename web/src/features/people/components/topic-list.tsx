import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { peopleStrings } from "../strings.ts";

const chip =
  "inline-block max-w-full rounded-full border border-line px-2.5 py-0.5 text-sm break-words";

/** What a member may be asked about. `linked` leads to everyone who may be asked about the same. */
export function TopicList({
  topics,
  linked = false,
}: {
  readonly topics: readonly string[];
  readonly linked?: boolean | undefined;
}) {
  if (topics.length === 0) return null;
  return (
    <ul aria-label={peopleStrings.askAbout} className="flex flex-wrap gap-2">
      {topics.map((topic) => (
        <li key={topic} className="max-w-full">
          {linked ? (
            <Link
              to={`${paths.members}?${new URLSearchParams({ topic }).toString()}`}
              className={`${chip} hover:border-control-line hover:bg-hover`}
            >
              <bdi>{topic}</bdi>
            </Link>
          ) : (
            <bdi className={chip}>{topic}</bdi>
          )}
        </li>
      ))}
    </ul>
  );
}
