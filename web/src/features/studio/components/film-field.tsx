import { useId, useState } from "react";
import { filmAddress, uploadedFilm, type UploadedFilm } from "@/domain/course-films.ts";
import { ModuleVideo } from "@/features/courses/index.ts";
import { useOnline } from "@/lib/use-online.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { FileDrop } from "@/ui/file-drop.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { filmFileError } from "./explain-film-error.ts";
import { acceptedCaptions, acceptedFilms, captionsFileError } from "../model/film-files.ts";
import { filmTexts } from "../strings/modules.ts";
import { useFilmUpload, type UploadKind, type UploadState } from "../use-film-upload.ts";

export interface FilmFieldProps {
  /** Number of the module, from 1. */
  readonly place: number;
  /** Title of the module. */
  readonly title: string;
  readonly address: string | null;
  readonly onChange: (address: string | null) => void;
  /** Hears how an upload goes: it ends when the field goes away. */
  readonly onUpload: (kind: UploadKind) => void;
}

/** The film of a lesson: a player's address, or a film that is uploaded with its captions. */
export function FilmField({ place, title, address, onChange, onUpload }: FilmFieldProps) {
  const film = uploadedFilm(address);
  const [isUploading, setUploading] = useState(false);
  const nameId = useId();
  return (
    // The focus stays in this part when a button of it is pressed and replaced, and when the upload ends.
    <section aria-labelledby={nameId} className="grid min-w-0 grid-cols-1 content-start gap-3">
      <p id={nameId} className={film === null ? "sr-only" : "text-sm font-medium"}>
        {filmTexts.partName(place)}
      </p>
      {film === null ? (
        <>
          <TextField
            label={filmTexts.address}
            hint={filmTexts.addressHint}
            type="url"
            value={address ?? ""}
            onChange={(event) => onChange(event.target.value.trim() || null)}
          />
          {isUploading ? (
            <UploadForm
              onStored={(stored) => {
                setUploading(false);
                onChange(stored);
              }}
              onClose={() => setUploading(false)}
              onUpload={onUpload}
            />
          ) : (
            <Button
              size="sm"
              variant="secondary"
              className="justify-self-start"
              onClick={() => setUploading(true)}
            >
              {filmTexts.open}
            </Button>
          )}
        </>
      ) : (
        <StoredFilm
          key={film.film}
          title={title}
          film={film}
          onChange={onChange}
          onUpload={onUpload}
        />
      )}
    </section>
  );
}

interface Choice {
  readonly file: File | null;
  readonly error: string | null;
}

const nothing: Choice = { file: null, error: null };

/** A file with what is wrong with it, checked when it is chosen. */
function useFileChoice(check: (file: File) => Promise<string | null>) {
  const [choice, setChoice] = useState(nothing);
  return {
    ...choice,
    choose: async (file: File | null) => {
      if (file === null) return setChoice(nothing);
      const error = await check(file);
      setChoice({ file: error === null ? file : null, error });
    },
  };
}

function UploadForm({
  onStored,
  onClose,
  onUpload,
}: Pick<FilmFieldProps, "onUpload"> & {
  readonly onStored: (address: string) => void;
  readonly onClose: () => void;
}) {
  const online = useOnline();
  const film = useFileChoice(filmFileError);
  const captions = useFileChoice(captionsFileError);
  const { state, upload, cancel } = useFilmUpload(onStored, onUpload);
  const isSending = state.kind === "sending";
  const isReady = film.file !== null && captions.file !== null;
  return (
    <div className="grid grid-cols-1 gap-4 rounded-card border border-line p-4">
      <FileDrop
        label={filmTexts.film}
        hint={filmTexts.filmHint}
        accept={acceptedFilms}
        file={film.file}
        error={film.error}
        disabled={isSending}
        onFile={(file) => void film.choose(file)}
      />
      <FileDrop
        label={filmTexts.captions}
        hint={filmTexts.captionsHint}
        accept={acceptedCaptions}
        file={captions.file}
        error={captions.error}
        disabled={isSending}
        onFile={(file) => void captions.choose(file)}
      />
      <UploadProgress state={state} />
      {online ? null : (
        <p className="text-sm text-muted">
          {isSending ? filmTexts.offlineSending : filmTexts.offline}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {isSending ? (
          <Button size="sm" variant="secondary" onClick={cancel}>
            {filmTexts.cancelUpload}
          </Button>
        ) : (
          <>
            <Button
              size="sm"
              disabled={!online || !isReady}
              onClick={() => {
                if (film.file !== null && captions.file !== null) upload(film.file, captions.file);
              }}
            >
              {state.kind === "failed" ? filmTexts.tryAgain : filmTexts.upload}
            </Button>
            <Button size="sm" variant="quiet" onClick={onClose}>
              {filmTexts.close}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

function UploadProgress({ state }: { readonly state: UploadState }) {
  if (state.kind === "failed") return <Alert tone="danger">{state.reason}</Alert>;
  if (state.kind === "idle") return null;
  return (
    <div className="grid gap-2">
      <ProgressBar
        label={filmTexts.uploading}
        value={state.percent}
        valueText={`${state.percent}%`}
      />
      <p className="tabular text-sm text-muted">{`${state.percent}% · ${filmTexts.stay}`}</p>
    </div>
  );
}

function StoredFilm({
  title,
  film,
  onChange,
  onUpload,
}: Pick<FilmFieldProps, "title" | "onChange" | "onUpload"> & { readonly film: UploadedFilm }) {
  const online = useOnline();
  const [isReplacing, setReplacing] = useState(false);
  const captions = useFileChoice(captionsFileError);
  const { state, replace } = useFilmUpload(onChange, onUpload);
  const isSending = state.kind === "sending";
  return (
    <>
      <ModuleVideo address={filmAddress(film.film)} title={title} />
      {isReplacing ? (
        <FileDrop
          label={filmTexts.otherCaptions}
          hint={filmTexts.captionsHint}
          accept={acceptedCaptions}
          file={captions.file}
          error={captions.error}
          disabled={isSending}
          onFile={(file) => void captions.choose(file)}
        />
      ) : null}
      {state.kind === "failed" ? <Alert tone="danger">{state.reason}</Alert> : null}
      <div className="flex flex-wrap gap-3">
        {isReplacing ? (
          <Button
            size="sm"
            loading={isSending}
            disabled={!online || captions.file === null}
            onClick={() => {
              if (captions.file !== null) replace(film, captions.file);
            }}
          >
            {filmTexts.saveCaptions}
          </Button>
        ) : (
          <Button size="sm" variant="secondary" onClick={() => setReplacing(true)}>
            {filmTexts.replaceCaptions}
          </Button>
        )}
        <Button size="sm" variant="quiet" disabled={isSending} onClick={() => onChange(null)}>
          {filmTexts.remove}
        </Button>
      </div>
    </>
  );
}
