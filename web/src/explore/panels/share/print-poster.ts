/**
 * Prints an image on a page of its own. While the browser prints, the style sheet shows only that image.
 *
 * @param label the alternative text
 */
export async function printPoster(picture: Blob, label: string): Promise<void> {
  const image = new Image();
  image.src = URL.createObjectURL(picture);
  image.alt = label;
  image.className = 'printed-poster';
  await image.decode();
  document.body.append(image);
  const remove = () => {
    image.remove();
    URL.revokeObjectURL(image.src);
  };
  addEventListener('afterprint', remove, { once: true });
  window.print();
}
