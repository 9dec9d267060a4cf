import { useState } from "react";
import { levels } from "@/domain/levels.ts";
import { Button } from "@/ui/button.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea, TextField } from "@/ui/text-field.tsx";
import {
  createContentRoom,
  editContentRoom,
  type ContentRoom,
  type RoomFields,
} from "../api/rooms.ts";
import { changedFields } from "../model/changed-fields.ts";
import { useSaveContent } from "../mutations.ts";
import { roomContentStrings } from "../strings.ts";
import { HideDialog } from "./hide-dialog.tsx";
import { fieldText, PanelForm } from "./panel-form.tsx";

const levelOptions = levels.map(({ number, name }) => ({
  value: String(number),
  label: `${number} ${name}`,
}));

/** Edits a room, or makes a new one when `room` is null. */
export function RoomPanel({
  room,
  onDone,
}: {
  readonly room: ContentRoom | null;
  readonly onDone: () => void;
}) {
  const { busy, issue, save } = useSaveContent();
  const [asking, setAsking] = useState(false);
  /** Fields that wait for a confirmation, because they move the room to a higher level. */
  const [moving, setMoving] = useState<RoomFields | null>(null);

  async function submit(form: FormData) {
    const fields: RoomFields = {
      name: fieldText(form, "name"),
      description: fieldText(form, "description"),
      minLevel: Number(fieldText(form, "level")),
      order: Number(fieldText(form, "order")),
    };
    if (room?.isActive === true && fields.minLevel > room.minLevel) setMoving(fields);
    else await saveFields(fields, fieldText(form, "id"));
  }

  async function saveFields(fields: RoomFields, newId: string) {
    const saved = room
      ? await save(
          (client) => editContentRoom(client, room.id, changedFields(fieldsOf(room), fields)),
          roomContentStrings.saved(fields.name),
        )
      : await save(
          (client) => createContentRoom(client, newId, fields),
          roomContentStrings.created(fields.name),
        );
    setMoving(null);
    if (saved) onDone();
  }

  async function setActive(current: ContentRoom, isActive: boolean) {
    const done = isActive
      ? roomContentStrings.reopened(current.name)
      : roomContentStrings.closedDone(current.name);
    const saved = await save((client) => editContentRoom(client, current.id, { isActive }), done);
    setAsking(false);
    if (saved) onDone();
  }

  return (
    <>
      <PanelForm
        saveLabel={room ? roomContentStrings.save : roomContentStrings.create}
        busy={busy}
        issue={issue}
        onSave={(form) => void submit(form)}
        actions={
          room === null ? null : room.isActive ? (
            <Button variant="secondary" disabled={busy} onClick={() => setAsking(true)}>
              {roomContentStrings.close}
            </Button>
          ) : (
            <Button variant="secondary" disabled={busy} onClick={() => void setActive(room, true)}>
              {roomContentStrings.reopen}
            </Button>
          )
        }
      >
        {room ? null : (
          <TextField
            name="id"
            label={roomContentStrings.address}
            hint={roomContentStrings.addressHint}
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            maxLength={60}
            required
          />
        )}
        <TextField
          name="name"
          label={roomContentStrings.name}
          maxLength={80}
          required
          defaultValue={room?.name}
        />
        <TextArea
          name="description"
          label={roomContentStrings.description}
          rows={3}
          maxLength={300}
          required={false}
          defaultValue={room?.description}
        />
        <SelectField
          name="level"
          label={roomContentStrings.opensAt}
          options={levelOptions}
          defaultValue={String(room?.minLevel ?? 1)}
        />
        <TextField
          name="order"
          label={roomContentStrings.place}
          hint={roomContentStrings.placeHint}
          type="number"
          min={0}
          max={10_000}
          step={1}
          required
          defaultValue={room?.order ?? 0}
        />
      </PanelForm>
      {room ? (
        <HideDialog
          open={asking}
          onOpenChange={setAsking}
          title={roomContentStrings.closeQuestion(room.name)}
          description={roomContentStrings.closeText}
          confirmLabel={roomContentStrings.close}
          removals={[{ kind: "rooms", minLevel: room.minLevel, count: 1 }]}
          busy={busy}
          onConfirm={() => void setActive(room, false)}
        />
      ) : null}
      {room ? (
        <HideDialog
          open={moving !== null}
          onOpenChange={(stays) => (stays ? undefined : setMoving(null))}
          title={roomContentStrings.moveQuestion(room.name)}
          description={roomContentStrings.moveText}
          confirmLabel={roomContentStrings.move}
          removals={[
            {
              kind: "rooms",
              minLevel: room.minLevel,
              movedToLevel: moving?.minLevel ?? room.minLevel,
              count: 1,
            },
          ]}
          busy={busy}
          onConfirm={() => (moving ? void saveFields(moving, room.id) : undefined)}
        />
      ) : null}
    </>
  );
}

function fieldsOf({ name, description, minLevel, order }: ContentRoom): RoomFields {
  return { name, description, minLevel, order };
}
