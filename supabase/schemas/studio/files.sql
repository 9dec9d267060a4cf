create function private.find_duplicate_draft(mentor uuid, kind text, written public.draft_versions) returns uuid
  language sql stable set search_path = '' as $$
  select d.id
  from public.drafts d
  join public.draft_versions v on v.draft_id = d.id and v.version = d.version
  left join public.subcategories s on s.id = v.subcategory_id
  left join public.subcategories w on w.id = (written).subcategory_id
  where d.owner_id = mentor and d.kind = find_duplicate_draft.kind
    -- Texts of two categories may share an address.
    and (s.main_category = w.main_category or s.id is null or w.id is null)
    and (v.slug = (written).slug and v.slug <> '' or lower(v.title) = lower((written).title) and v.title <> '')
  order by v.slug = (written).slug desc, d.updated_at desc, d.id
  limit 1
$$;
comment on function private.find_duplicate_draft(uuid, text, public.draft_versions) is
  'A draft of the mentor with the same address or title in the same category; null when there is none.';

-- @rpc authenticated
-- Mentors: make a draft of a file, or name the one that is there already; draft_id and is_new.
create function private.import_draft(kind text, fields jsonb, again boolean default false) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  written public.draft_versions := private.draft_from(kind, fields);
  target uuid;
begin
  perform private.enforce_rate_limit(caller, 'import_draft');
  -- The same import in two tabs: the second one finds the drafts of the first.
  perform pg_advisory_xact_lock(hashtextextended('import_draft:' || caller::text, 0));
  if again is not true then
    target := private.find_duplicate_draft(caller, kind, written);
    if target is not null then
      return jsonb_build_object('draft_id', target, 'is_new', false);
    end if;
  end if;
  insert into public.drafts (owner_id, kind, title) values (caller, import_draft.kind, written.title) returning id into target;
  perform private.add_draft_version(target, 1, written);
  return jsonb_build_object('draft_id', target, 'is_new', true);
end
$$;
comment on function private.import_draft(text, jsonb, boolean) is
  'Creates a draft from a file of the caller, unless there is one with its address or title and again is not set: draft_id and is_new.';

-- The export of the studio names covers, so that their pictures are files beside the texts.
create function private.published_work(author uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(w.work order by w.display_order, w.slug), '[]') from (
    select a.display_order, a.slug, jsonb_build_object(
      'kind', 'article', 'subcategory_id', a.subcategory_id, 'slug', a.slug, 'title', a.title, 'excerpt', a.excerpt,
      'content', a.content, 'tags', a.tags, 'difficulty_level', 'beginner', 'price', 0, 'modules', '[]'::jsonb,
      'cover', a.featured_image_url, 'is_featured', a.is_featured, 'display_order', a.display_order,
      'has_published_version', false
    ) as work
    from public.articles a where a.author_id = author and a.is_published
    union all
    select c.display_order, c.slug, jsonb_build_object(
      'kind', 'course', 'subcategory_id', c.subcategory_id, 'slug', c.slug, 'title', c.title, 'excerpt', c.description,
      'content', '', 'tags', '[]'::jsonb, 'difficulty_level', c.difficulty_level, 'price', c.price,
      'cover', c.thumbnail_url, 'is_featured', c.is_featured, 'display_order', c.display_order,
      'has_published_version', false, 'modules', coalesce((
        select jsonb_agg(jsonb_build_object('slug', m.slug, 'title', m.title, 'content', m.content,
          'minutes', m.estimated_duration, 'video_url', m.video_url) order by m.module_order, m.slug)
        from public.course_modules m where m.course_id = c.id and m.is_published
      ), '[]')
    )
    from public.courses c where c.mentor_id = author and c.is_published
  ) w
$$;
comment on function private.published_work(uuid) is 'Articles and courses of an account as members read them, changes of the console included.';

-- Who wrote something takes it along, also without a membership.
-- @rpc authenticated
-- Mentors: everything one wrote, to be put into files.
create function private.export_studio() returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  perform private.enforce_rate_limit(caller, 'export_studio');
  return jsonb_build_object(
    'subcategories', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', s.id, 'main_category', s.main_category, 'slug', s.slug, 'name', s.name, 'description', s.description,
        'color', s.color, 'icon', s.icon, 'open_to_mentors', s.open_to_mentors,
        'display_order', s.display_order
      ) order by s.main_category, s.display_order, s.slug), '[]')
      from public.subcategories s
      where s.id in (
        select a.subcategory_id from public.articles a where a.author_id = caller
        union all
        select c.subcategory_id from public.courses c where c.mentor_id = caller
        union all
        select v.subcategory_id from public.draft_versions v join public.drafts d on d.id = v.draft_id and d.version = v.version
        where d.owner_id = caller
      )
    ),
    'published', private.published_work(caller),
    'drafts', (
      select coalesce(jsonb_agg(
        to_jsonb(v) - '{draft_id,version,saved_by,saved_at}'::text[]
          || jsonb_build_object('kind', d.kind, 'is_featured', false, 'display_order', null,
            'has_published_version', private.is_in_library(d))
        order by d.created_at, d.id
      ), '[]')
      from public.drafts d join public.draft_versions v on v.draft_id = d.id and v.version = d.version
      where d.owner_id = caller and not (private.is_in_library(d) and d.published_version = d.version)
    )
  );
end
$$;
comment on function private.export_studio() is
  'Everything the caller wrote: published work, and the newest versions of drafts that differ from it, with their subcategories.';
