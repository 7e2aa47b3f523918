/** Adds what was typed, comma by comma: a tag goes in only if something is left of it after trimming and it is not there already. */
export function addTags(tags: readonly string[], typed: string): string[] {
  const added = [...tags]
  for (const tag of typed.split(',').map((part) => part.trim())) {
    if (tag !== '' && !added.includes(tag)) added.push(tag)
  }
  return added
}
