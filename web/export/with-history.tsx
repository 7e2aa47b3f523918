import { Checkbox } from '#web/ui/controls/field.tsx'

type Props = { checked: boolean; onChange: (checked: boolean) => void; className?: string }

/** Whether an archive has the earlier versions of its entries. */
export const WithHistory = ({ onChange, ...props }: Props) => (
  <Checkbox
    {...props}
    label="With earlier versions"
    hint="What entries said before, each version as a text."
    onChange={({ target }) => onChange(target.checked)}
  />
)
