-- What became of a report, told to who reported and, when something was taken away, to the author.

-- `detail` is what it was, the decision, and what makes it one act: a report, or all reports of a thing that were decided together.
-- The author is told which of theirs it was, and why: kept here, because what was taken away may take its reports with it.
create function private.tg_reports__notify() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  place constant jsonb := (private.reported(new.kind, new.subject_id)).place;
  of_author constant jsonb := jsonb_strip_nulls(jsonb_build_object(
    'room', place -> 'room_name', 'title', place -> 'title', 'written_at', place -> 'written_at', 'excerpt', new.explanation
  ));
begin
  insert into public.notifications (user_id, kind, detail, facts)
  select r.id, told.kind, concat_ws(':', new.kind, new.decision, told.act), told.facts
  from (
    values (new.user_id, 'report_decided', new.id::text, null),
      (new.author_id, 'moderated', new.subject_id || ':' || pg_current_xact_id(), of_author)
  ) told (member, kind, act, facts)
  join public.profiles r on r.id = told.member
  where told.kind = 'report_decided' or new.decision <> 'keep'
  for key share of r skip locked
  on conflict do nothing;
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
  'What became of a member''s reports, and what of the member''s own was taken away by one, and why.';
