-- What became of a report, told to who reported and, when something was taken away, to the author.

create function private.first_words(content text) returns text
  language sql immutable set search_path = '' as $$
  select nullif(case when char_length(w.words) > 60 then left(w.words, 59) || '…' else w.words end, '')
  from (select btrim(regexp_replace(content, '\s+', ' ', 'g')) as words) w
$$;
comment on function private.first_words(text) is 'By what its author knows a text again: its beginning in one line; null without any.';

-- `detail` is what it was, the decision, and what makes it one act: of a report its number, of what was taken away the transaction,
-- so that several reports of one thing are told once.
-- The author is told which of theirs it was, and why: kept here, because what was taken away may take its reports with it. Call it before
-- it is taken away. Of a message or a comment its first words are kept, but nothing of what was written to one member. The line leads to
-- where a message stood also once its room is closed to the author: the room says so.
create function private.tell_author_of_removal(what text, subject uuid, it private.reported, decision text, explanation text) returns void
  language plpgsql volatile set search_path = ''
as $$
declare
  place constant jsonb := it.place;
begin
  insert into public.notifications (user_id, kind, detail, facts)
  select r.id, 'moderated', concat_ws(':', what, decision, subject, pg_current_xact_id()), jsonb_strip_nulls(jsonb_build_object(
    'room', place -> 'room_name', 'title', place -> 'title', 'written_at', place -> 'written_at', 'words', place -> 'words',
    'excerpt', explanation, 'chat_room_id', place -> 'room_id', 'message_id', case when place ? 'room_id' then subject end
  )) || case when place ? 'text' then jsonb_build_object('place', place -> 'text') else '{}' end
  from public.profiles r where r.id = it.author_id
  for key share of r skip locked
  on conflict do nothing;
end
$$;
comment on function private.tell_author_of_removal(text, uuid, private.reported, text, text) is
  'Tells an author which of theirs an administrator takes away, and why; once in a transaction.';

-- The one way in which an administrator takes away without a report what another member made: the author is told why as after one, and
-- the open reports are decided with it, so that nothing waits that is gone. Call it before it is taken away, with its row locked.
create function private.explain_removal(what text, subject uuid, it private.reported, explanation text) returns text
  language plpgsql volatile set search_path = ''
as $$
declare
  why constant text := private.require_removal_explanation(explanation);
begin
  update private.reports r set resolved_at = clock_timestamp(), decision = 'remove', explanation = why
  where r.kind = what and r.subject_id = subject and r.resolved_at is null;
  perform private.tell_author_of_removal(what, subject, it, 'remove', why);
  return why;
end
$$;
comment on function private.explain_removal(text, uuid, private.reported, text) is
  'Tells an author why an administrator takes something away, and decides its open reports; the trimmed explanation. FF344 without one.';

create function private.tg_reports__notify() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Who reported several things knows by their own words which it was. Nothing of what was reported is repeated.
  insert into public.notifications (user_id, kind, detail, facts)
  select r.id, 'report_decided', concat_ws(':', new.kind, new.decision, new.id), jsonb_strip_nulls(jsonb_build_object(
    'room', (private.reported(new.kind, new.subject_id)).place -> 'room_name', 'excerpt', private.first_words(new.reason),
    'why', new.category
  ))
  from public.profiles r where r.id = new.user_id
  for key share of r skip locked
  on conflict do nothing;
  if new.decision <> 'keep' then
    perform private.tell_author_of_removal(
      new.kind, new.subject_id, private.reported(new.kind, new.subject_id), new.decision, new.explanation
    );
  end if;
  return null;
end
$$;
create trigger reports__notify after update of resolved_at on private.reports for each row
  when (old.resolved_at is null and new.resolved_at is not null) execute function private.tg_reports__notify();

create function private.notification_part_reports(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = ''
as $$
  select n.id, coalesce(n.facts, '{}')
    || jsonb_build_object('what', split_part(n.detail, ':', 1), 'is_kept', split_part(n.detail, ':', 2) = 'keep')
  from private.newest_notifications(member, array['report_decided', 'moderated']) n
$$;
comment on function private.notification_part_reports(uuid) is
  'What became of a member''s reports, and what of the member''s own was taken away, and why.';
