-- Names that people can read: at least one visible letter, nothing that can't be seen or turns the text around it.
create function private.is_name(content text) returns boolean
language sql immutable set search_path = '' as $$
  select
    -- No controls, no marks of direction, nothing of no width but the joiners that Persian and Indian names are written with.
    content !~ ('[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff'
      '\ufff9-\ufffb\U000e0000-\U000e0fff]')
    -- A letter: what is left without blanks, marks, digits, punctuation, symbols and pictures, whatever the locale counts as one.
    and content ~ ('[^\s\u0001-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7'
      '\u02c2-\u02df\u02e5-\u036f\u0483-\u0489\u0591-\u05c7\u0600-\u061f\u064b-\u066d\u0670\u06d4\u06d6-\u06ed\u06f0-\u06f9'
      '\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962-\u096f\u0e31\u0e34-\u0e3f\u0e47-\u0e5b'
      '\u0981-\u0983\u09bc\u09be-\u09cd\u09d5-\u09d7\u09e2-\u09ef\u0a01-\u0a03\u0a3c\u0a3e-\u0a4d\u0a55-\u0a57'
      '\u0a62-\u0a6f\u0a81-\u0a83\u0abc\u0abe-\u0acd\u0ad5-\u0ad7\u0ae2-\u0aef\u0b01-\u0b03\u0b3c\u0b3e-\u0b4d'
      '\u0b55-\u0b57\u0b62-\u0b6f\u0b81-\u0b83\u0bbc\u0bbe-\u0bcd\u0bd5-\u0bd7\u0be2-\u0bef\u0c01-\u0c03\u0c3c'
      '\u0c3e-\u0c4d\u0c55-\u0c57\u0c62-\u0c6f\u0c81-\u0c83\u0cbc\u0cbe-\u0ccd\u0cd5-\u0cd7\u0ce2-\u0cef\u0d01-\u0d03'
      '\u0d3c\u0d3e-\u0d4d\u0d55-\u0d57\u0d62-\u0d6f\u0d81-\u0d83\u0dca-\u0def\u0df2-\u0df4\u0eb1\u0eb4-\u0ebc'
      '\u0ec8-\u0ed9\u0f00-\u0f3f\u0f71-\u0f87\u0f8d-\u0fff\u102b-\u103e\u1040-\u104f\u1056-\u1059'
      '\u115f\u1160\u1680\u17b4-\u17d6\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u20ff\u2190-\u2bff\u2e00-\u2e7f'
      '\u3000-\u3004\u3008-\u3020\u302a-\u3030\u303d-\u303f\u3099-\u309c\u30a0\u30fb\u3164\ua66f-\ua67d'
      '\ue000-\uf8ff\ufe00-\ufe6f\uff01-\uff20\uff3b-\uff40\uff5b-\uff65\uffa0\uffe0-\uffff'
      '\U0001f000-\U0001faff\U000e0000-\U0010ffff]')
    -- Accents stand one, two or three on a letter; piled higher they cover the lines above and below.
    and content !~ '[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4}'
$$;
comment on function private.is_name(text) is 'True when a name has a visible letter and no characters that cannot be seen, turn the text around them, or pile up.';

create function private.require_name(given text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  -- Nothing, or spaces alone, is no name yet; where one is required is asked elsewhere.
  if btrim(given) <> '' and not private.is_name(given) then
    perform private.fail('FF104', 'A name needs a letter, and no characters that can''t be seen.');
  end if;
end
$$;
comment on function private.require_name(text) is 'Raises FF104 for what is not a name; nothing for none.';
grant execute on function private.require_name to authenticated, service_role;

create function private.tg_profiles__check_names() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.require_name(new.first_name);
  perform private.require_name(new.last_name);
  return new;
end
$$;
create trigger profiles__check_names before insert or update of first_name, last_name on public.profiles
  for each row execute function private.tg_profiles__check_names();
