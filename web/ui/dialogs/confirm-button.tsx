import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { LazyConfirmDialog } from './on-demand.tsx'

type ConfirmButtonProps = Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> & {
  question: string
  /** The consequences. */
  detail: ReactNode
  /** What the button says, and that which confirms. */
  verb: string
  onConfirm: () => void
}

/** A button that asks for confirmation before it acts. */
export function ConfirmButton({ question, detail, verb, onConfirm, ...button }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)

  function confirm() {
    close()
    onConfirm()
  }

  return (
    <>
      <Button {...button} {...LazyConfirmDialog.preloadProps} onClick={() => setAsking(true)}>
        {verb}
      </Button>
      {isAsking && (
        <LazyConfirmDialog
          question={question}
          detail={detail}
          verb={verb}
          onConfirm={confirm}
          onClose={close}
        />
      )}
    </>
  )
}
