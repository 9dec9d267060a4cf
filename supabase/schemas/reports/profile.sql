-- Reports of members, which keep every text of the profile. A suspension or taking a picture away are acts of their own.
create function private.reportable_profile(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
begin
  perform private.require_member();
  perform private.require_other_member(caller, subject);
  return private.reported_profile(subject);
end
$$;
comment on function private.reportable_profile(uuid, uuid) is 'The profile of another member; raises FF700, FF702 or FF703.';

create function private.reported_profile(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select p.id, jsonb_build_object(
    'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'occupation', p.occupation, 'bio', p.bio,
    'topics', coalesce((select to_jsonb(c.topics) from public.profile_choices c where c.user_id = p.id), '[]')
  ), '{}'::jsonb
  from public.profiles p where p.id = subject
$$;
comment on function private.reported_profile(uuid) is 'Every text that a member writes on a profile.';

create function private.lock_reported_profile(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.profiles p where p.id = subject for no key update
$$;
comment on function private.lock_reported_profile(uuid) is 'Locks a profile.';

create function private.remove_reported_profile(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  update public.profiles p set bio = null where p.id = subject;
  update public.profile_choices c set topics = '{}', updated_at = now() where c.user_id = subject
$$;
comment on function private.remove_reported_profile(uuid) is 'Clears what a profile says beyond name and occupation.';
