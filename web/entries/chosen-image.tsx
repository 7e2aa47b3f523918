import { useCallback } from 'react'

type ChosenImageProps = { file: File; className: string; onUnreadable: () => void }

/** A file of this computer as the image that it would be. */
export function ChosenImage({ file, className, onUnreadable }: ChosenImageProps) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [file],
  )
  return <img ref={show} alt="The chosen one" className={className} onError={onUnreadable} />
}
