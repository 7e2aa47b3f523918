import { ConfirmButton } from '#web/ui/dialogs/confirm-button.tsx'
import type { useRenewShareLink } from './queries.ts'
import type { ShownAddress } from './shown-address.tsx'

type RenewButtonProps = {
  name: string
  renewal: ReturnType<typeof useRenewShareLink>
  question: string
  detail: string
  onAddress: (shown: ShownAddress) => void
}

/** Gives a link another address, after a confirmation. */
export const RenewButton = ({ name, renewal, onAddress, ...asked }: RenewButtonProps) => (
  <ConfirmButton
    size="sm"
    variant="quiet"
    aria-label={`New address for ${name}`}
    busy={renewal.isPending}
    {...asked}
    verb="New address"
    onConfirm={() =>
      renewal.mutate(undefined, {
        onSuccess: ({ link, url }) => onAddress({ linkId: link._id, name: link.name, url }),
      })
    }
  />
)
