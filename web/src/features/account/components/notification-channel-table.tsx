import { useId, useState } from "react";
import { describeInBell } from "@/domain/describe-notification.ts";
import { Checkbox } from "@/ui/checkbox.tsx";
import { FieldError } from "@/ui/field.tsx";
import { SavingState } from "@/ui/saving-state.tsx";
import {
  channels,
  choiceId,
  topics,
  type ChoiceName,
  type NotificationChoices,
  type Topic,
} from "../api/notification-choices.ts";
import { useSaveNotificationChoice } from "../mutations.ts";
import { notificationChoiceStrings, notificationExamples } from "../strings.ts";

/** What notifications are about, and where the member is told of it. */
export function NotificationChannelTable({ choices }: { readonly choices: NotificationChoices }) {
  const errorId = useId();
  const [failed, setFailed] = useState(false);
  return (
    <div className="grid gap-2">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{notificationChoiceStrings.tableCaption}</caption>
        <thead>
          <tr className="text-sm text-muted">
            <th scope="col" className="pb-2 font-medium">
              {notificationChoiceStrings.about}
            </th>
            {channels.map((channel) => (
              <th key={channel} scope="col" className="w-16 pb-2 text-center font-medium">
                {notificationChoiceStrings.channels[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {topics.map((topic) => (
            <tr key={topic} className="border-t border-line">
              <th scope="row" className="py-2 pr-2 font-normal">
                {notificationChoiceStrings.topics[topic].label}
                <span className="block text-sm text-muted">
                  {notificationChoiceStrings.topics[topic].hint}
                </span>
                <span className="block text-sm text-muted italic">
                  {notificationChoiceStrings.example(
                    describeInBell(notificationExamples[topic]).sentence,
                  )}
                </span>
              </th>
              {channels.map((channel) => (
                <td key={channel} className="py-2 align-top">
                  <Cell
                    topic={topic}
                    channel={channel}
                    choices={choices}
                    errorId={errorId}
                    onSaved={(saved) => setFailed(!saved)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <FieldError id={errorId}>
        {failed ? notificationChoiceStrings.notSaved : undefined}
      </FieldError>
    </div>
  );
}

interface CellProps {
  readonly topic: Topic;
  readonly channel: ChoiceName["channel"];
  readonly choices: NotificationChoices;
  /** Of the line below the table that says when a choice was not saved. */
  readonly errorId: string;
  readonly onSaved: (saved: boolean) => void;
}

function Cell({ topic, channel, choices, ...report }: CellProps) {
  if (topic === "account" && channel !== "push") {
    return (
      <p className="grid h-11 place-items-center text-sm text-muted">
        {channel === "bell" ? (
          notificationChoiceStrings.always
        ) : (
          <>
            <span aria-hidden>{notificationChoiceStrings.never}</span>
            <span className="sr-only">{notificationChoiceStrings.notInDigest}</span>
          </>
        )}
      </p>
    );
  }
  const name = { kind: topic, channel } as const;
  return <Choice name={name} isOn={!choices.off.has(choiceId(name))} topic={topic} {...report} />;
}

function Choice({
  name,
  isOn,
  topic,
  errorId,
  onSaved,
}: Pick<CellProps, "topic" | "errorId" | "onSaved"> & {
  readonly name: ChoiceName;
  readonly isOn: boolean;
}) {
  const saving = useSaveNotificationChoice(name);
  const boxId = useId();
  const report = { onSuccess: () => onSaved(true), onError: () => onSaved(false) };
  return (
    <div className="grid justify-items-center">
      {/* The whole cell is a target for a thumb. */}
      <label htmlFor={boxId} className="grid size-11 cursor-pointer place-items-center">
        <span className="sr-only">
          {notificationChoiceStrings.topics[topic].label}:{" "}
          {notificationChoiceStrings.channels[name.channel]}
        </span>
        <Checkbox
          id={boxId}
          aria-describedby={saving.isError ? errorId : undefined}
          aria-invalid={saving.isError || undefined}
          checked={isOn}
          onChange={(event) => saving.mutate(event.target.checked, report)}
        />
      </label>
      <div className="sr-only">
        <SavingState {...saving} />
      </div>
    </div>
  );
}
