-- The account may be gone by the end of the transaction, and is not waited for.
create function private.tg_achievements__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, 'achievement', new.key
  from public.profiles r join private.achievement_kinds k on k.key = new.key and k.is_told
  where r.id = new.user_id
  for key share of r skip locked on conflict do nothing;
  return null;
end
$$;
create trigger achievements__notify after insert on private.achievements
  for each row execute function private.tg_achievements__notify();

create function private.tg_certificates__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, subject_id)
  select r.id, 'certificate', new.id from public.profiles r where r.id = new.user_id
  for key share of r skip locked on conflict do nothing;
  return null;
end
$$;
create trigger certificates__notify after insert on private.certificates
  for each row execute function private.tg_certificates__notify();

create function private.notification_part_achievements(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = '' as $$
  select n.id, jsonb_build_object('achievement', k.title)
  from private.newest_notifications(member, array['achievement']) n join private.achievement_kinds k on k.key = n.detail
  union all
  select n.id, jsonb_build_object('certificate_id', c.id, 'excerpt', c.course_title)
  from private.newest_notifications(member, array['certificate']) n
  join private.certificates c on c.id = n.subject_id and c.revoked_at is null
$$;
comment on function private.notification_part_achievements(uuid) is 'Achievements, and certificates until they are revoked.';
