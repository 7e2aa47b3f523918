import type { FieldErrors } from 'react-hook-form'
import { Field } from '#web/ui/field.tsx'
import type { EntryText } from './entry-draft.ts'
import { TagBox, type TagBoxProps } from './tag-box.tsx'

type TagsFieldProps = TagBoxProps & { errors: FieldErrors<EntryText>['tags'] }

/** The tags of an entry. */
export function TagsField({ errors, ...box }: TagsFieldProps) {
  return (
    <Field label="Tags" error={problemOf(errors)}>
      <TagBox {...box} />
    </Field>
  )
}

/** What is wrong with the list as a whole, or with the first faulty tag. */
function problemOf(errors: FieldErrors<EntryText>['tags']): string | undefined {
  return errors?.message ?? errors?.find?.((problem) => problem?.message)?.message
}
