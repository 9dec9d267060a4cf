import { mayName, useNamed } from "../queries.ts";
import { MessageText, type MessageTextProps } from "./message-text.tsx";

export interface MemberTextProps extends Omit<MessageTextProps, "named"> {
  /** Of the message, submission or comment; empty until it is stored. */
  readonly subjectId: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** What a member wrote in a room, a submission or a comment, with the members it names. */
export function MemberText(props: MemberTextProps) {
  return mayName(props.content) ? <NamingText {...props} /> : <MessageText {...props} />;
}

function NamingText({ subjectId, createdAt, ...text }: MemberTextProps) {
  return <MessageText {...text} named={useNamed(subjectId, text.content, createdAt)} />;
}
