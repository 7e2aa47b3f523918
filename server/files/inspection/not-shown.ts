const WORDS = { image: 'picture', video: 'film', audio: 'sound' } as const

const PICTURE = /\.(?:jpe?g|png|gif|webp|avif|hei[cf])$/i

/**
 * Returns what the uploader of a download is told if it is a picture, film or sound of a format that browsers do not show, or no
 * picture in spite of its name; undefined for every other file. Only the first bytes and, for SVG, the name count.
 */
export async function notShownNotice(file: string, name: string): Promise<string | undefined> {
  // Loaded for downloads only: it takes longer than reading a small picture.
  const { fileTypeFromFile } = await import('file-type')
  const found = /\.svgz?$/i.test(name)
    ? { ext: 'svg', mime: 'image/svg+xml' }
    : await fileTypeFromFile(file, { mpegOffsetTolerance: 0 })
  const kind = found?.mime.split('/', 1)[0]
  if (!found || !(kind === 'image' || kind === 'video' || kind === 'audio'))
    return PICTURE.test(name)
      ? `“${name}” is no picture, although its name ends like one, so it is offered for download. It may be a page with an error that was saved in its place.`
      : undefined
  const remedy = kind === 'image' ? 'JPEG or PNG' : kind === 'video' ? 'MP4 (H.264)' : 'MP3'
  return `“${name}” is a ${WORDS[kind]} in the format ${found.ext.toUpperCase()} that cannot be shown, so it is offered for download. To show it, save it as ${remedy} and add that.`
}
