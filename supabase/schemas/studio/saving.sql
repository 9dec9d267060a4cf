-- Writing drafts: create, save with optimistic concurrency, restore.
create function private.is_mentor(account uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $function$
  select exists (
    select from public.profiles p
    where p.id = account
      and (private.is_verified_admin(p.id) or p.role = 'mentor' and p.onboarding_complete and private.has_live_membership(p.id))
  )
$function$;
comment on function private.is_mentor(uuid) is 'True for mentors with a live membership, and for administrators with a second factor.';

create function private.require_mentor() returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if not private.is_mentor(caller) then
    perform private.fail('FF650', 'Only mentors may do this.');
  end if;
  return caller;
end
$$;
comment on function private.require_mentor() is 'The calling mentor or administrator; FF001 or FF650 for other callers.';

-- A draft of another account does not exist for the caller.
create function private.lock_draft(draft uuid, expected_version integer, allowed text[]) returns public.drafts
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_draft public.drafts;
begin
  select d.* into found_draft from public.drafts d
  where d.id = draft and (d.owner_id = auth.uid() or private.caller_is_admin()) for update;
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  if expected_version is distinct from found_draft.version then
    perform private.fail('FF652', 'There is a newer version of this draft.', found_draft.version::text);
  end if;
  if found_draft.status <> all (allowed) then
    perform private.fail('FF653', 'The draft is in another state.', found_draft.status);
  end if;
  return found_draft;
end
$$;
comment on function private.lock_draft(uuid, integer, text[]) is
  'Locks a draft of the caller, or any for administrators; FF651, FF652 for another version, FF653 for another status.';

-- Unknown fields are dropped; missing ones get the values of an empty draft.
create function private.draft_modules(modules jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'slug', coalesce(m.module ->> 'slug', ''), 'title', coalesce(m.module ->> 'title', ''),
    'content', coalesce(m.module ->> 'content', ''), 'minutes', (m.module ->> 'minutes')::integer,
    'video_url', nullif(m.module ->> 'video_url', '')
  ) order by m.place), '[]')
  from jsonb_array_elements(case jsonb_typeof(modules) when 'array' then modules else '[]' end)
    with ordinality m (module, place)
$$;
comment on function private.draft_modules(jsonb) is 'Modules of a draft with exactly the known fields. minutes is null when they are to be computed.';

create function private.draft_from(kind text, fields jsonb) returns public.draft_versions
  language plpgsql stable set search_path = '' as $$
declare
  read public.draft_versions;
begin
  read.title := btrim(coalesce(fields ->> 'title', ''));
  read.subcategory_id := (fields ->> 'subcategory_id')::uuid;
  read.slug := btrim(coalesce(fields ->> 'slug', ''));
  read.excerpt := btrim(coalesce(fields ->> 'excerpt', ''));
  read.tags := array(
    select t.tag from jsonb_array_elements_text(
      case jsonb_typeof(fields -> 'tags') when 'array' then fields -> 'tags' else '[]' end
    ) with ordinality t (tag, place)
    where kind = 'article' order by t.place
  );
  read.content := case kind when 'article' then coalesce(fields ->> 'content', '') else '' end;
  read.difficulty_level := coalesce(fields ->> 'difficulty_level', 'beginner');
  read.price := case kind when 'course' then coalesce((fields ->> 'price')::numeric, 0) else 0 end;
  read.modules := case kind when 'course' then private.draft_modules(fields -> 'modules') else '[]' end;
  read.cover := nullif(fields ->> 'cover', '');
  -- Only its owner writes a draft.
  if read.cover is not null and starts_with(private.content_picture_name(read.cover), auth.uid() || '-') is not true then
    perform private.fail('FF658', 'The cover is not a picture you have uploaded here.');
  end if;
  return read;
end
$$;
comment on function private.draft_from(text, jsonb) is
  'The text and metadata of a draft, from the object its owner sends; FF658 for a cover that is not a picture of the owner.';

create function private.add_draft_version(draft uuid, version integer, written public.draft_versions) returns void
  language sql volatile set search_path = '' as $$
  insert into public.draft_versions (
    draft_id, version, saved_by, title, subcategory_id, slug, excerpt, tags, content, difficulty_level, price, modules, cover
  ) values (
    draft, add_draft_version.version, auth.uid(), (written).title, (written).subcategory_id, (written).slug,
    (written).excerpt, (written).tags, (written).content, (written).difficulty_level, (written).price, (written).modules,
    (written).cover
  );
  update public.drafts d set version = add_draft_version.version, title = (written).title, updated_at = clock_timestamp()
  where d.id = draft
$$;
comment on function private.add_draft_version(uuid, integer, public.draft_versions) is 'Adds a version of a draft, saved by the caller.';

-- @rpc authenticated
-- Mentors: begin an article or a course; its id.
create function private.create_draft(kind text, fields jsonb default '{}') returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  written public.draft_versions := private.draft_from(kind, fields);
  created uuid;
begin
  perform private.enforce_rate_limit(caller, 'create_draft');
  -- A new one that nothing was written in is opened again, instead of a second one without a title.
  if fields = '{}' then
    select d.id into created from public.drafts d
    join public.draft_versions v on v.draft_id = d.id and v.version = d.version
    where d.owner_id = caller and d.kind = create_draft.kind and d.status = 'draft' and d.version = 1
      and private.is_same_version(v, written)
    order by d.created_at desc limit 1 for update of d;
    if found then
      update public.drafts d set updated_at = clock_timestamp() where d.id = created;
      return created;
    end if;
  end if;
  insert into public.drafts (owner_id, kind, title) values (caller, create_draft.kind, written.title) returning id into created;
  perform private.add_draft_version(created, 1, written);
  return created;
end
$$;
comment on function private.create_draft(text, jsonb) is 'Creates a draft with its first version; its id. Without fields, a draft that nothing was written in is given again.';

create function private.is_same_version(one public.draft_versions, other public.draft_versions) returns boolean
  language sql immutable set search_path = '' as $$
  select ((one).title, (one).subcategory_id, (one).slug, (one).excerpt, (one).tags, (one).content, (one).difficulty_level,
      (one).price, (one).modules, (one).cover)
    is not distinct from ((other).title, (other).subcategory_id, (other).slug, (other).excerpt, (other).tags,
      (other).content, (other).difficulty_level, (other).price, (other).modules, (other).cover)
$$;
comment on function private.is_same_version(public.draft_versions, public.draft_versions) is 'True when text and metadata are the same.';

-- A request that is sent again after its answer was lost finds its own version and is no conflict.
-- @rpc authenticated (draft_id, expected_version, fields)
-- Mentors: save a new version of a draft; its number.
create function private.save_draft(draft uuid, expected_version integer, fields jsonb) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  target public.drafts;
  newest public.draft_versions;
  written public.draft_versions;
begin
  perform private.enforce_rate_limit(caller, 'save_draft');
  select d.* into target from public.drafts d where d.id = draft and d.owner_id = caller for update;
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  if target.status in ('submitted', 'scheduled', 'archived') then
    perform private.fail('FF653', 'The draft is in another state.', target.status);
  end if;
  written := private.draft_from(target.kind, fields);
  select v.* into newest from public.draft_versions v where v.draft_id = draft and v.version = target.version;
  if private.is_same_version(newest, written)
    and (expected_version = target.version or expected_version = target.version - 1 and newest.saved_by = caller) then
    return target.version;
  end if;
  if expected_version is distinct from target.version then
    perform private.fail('FF652', 'There is a newer version of this draft.', target.version::text);
  end if;
  perform private.add_draft_version(draft, target.version + 1, written);
  return target.version + 1;
end
$$;
comment on function private.save_draft(uuid, integer, jsonb) is
  'Saves a new version of the caller''s draft; its number. FF652 when the newest version is not the expected one.';

-- @rpc authenticated (draft_id, version, expected_version)
-- Mentors: make an earlier version the newest one.
create function private.restore_draft_version(draft uuid, version integer, expected_version integer) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  old_version public.draft_versions;
begin
  select v.* into old_version from public.draft_versions v
  where v.draft_id = draft and v.version = restore_draft_version.version and v.draft_id in (select private.caller_drafts());
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  return private.save_draft(draft, expected_version, to_jsonb(old_version));
end
$$;
comment on function private.restore_draft_version(uuid, integer, integer) is 'Saves an earlier version as the newest one; its number.';
