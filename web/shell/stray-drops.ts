/**
 * Keeps the page when a file is dropped where nothing takes it; browsers would show the file instead. Returns a function that stops
 * it.
 */
export function keepPageOnDrop(): () => void {
  function refuse(event: DragEvent) {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }

  addEventListener('dragover', refuse)
  addEventListener('drop', refuse)
  return () => {
    removeEventListener('dragover', refuse)
    removeEventListener('drop', refuse)
  }
}
