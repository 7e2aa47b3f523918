/** Opens the dialogs of a page by the links that lead to a page with the same, unless they are opened elsewhere. */
export function openDialogs(): void {
  document.addEventListener('click', (event) => {
    const { target, ctrlKey, metaKey, shiftKey, altKey } = event
    if (!(target instanceof Element)) return
    const opener = target.closest<HTMLElement>('[data-opens]')
    const dialog = document.getElementById(opener?.dataset.opens ?? '')
    if (dialog instanceof HTMLDialogElement) {
      if (ctrlKey || metaKey || shiftKey || altKey) return
      event.preventDefault()
      void open(dialog)
    } else if (target instanceof HTMLDialogElement || target.closest('[data-closes]')) {
      target.closest('dialog')?.close()
    }
  })
}

/** Back closes the dialog, too. */
async function open(dialog: HTMLDialogElement): Promise<void> {
  dialog.showModal()
  document.body.dataset.scrollLocked = ''
  let removeLayer = () => {}
  dialog.addEventListener(
    'close',
    () => {
      delete document.body.dataset.scrollLocked
      removeLayer()
    },
    { once: true },
  )
  const { historyLayers } = await import('#web/ui/dialogs/history-layers.ts')
  if (!dialog.open) return
  removeLayer = historyLayers().open(() => {
    dialog.close()
    return true
  })
}
