// A code out of the camera, or out of a photo of it. The node reads it: browsers here cannot.
import { api, dialog, h, pause, problem, t } from './parts.js';

/** What stands in a picture of at most `longest` pixels a side; null where there is no code in it. */
async function read(picture, width, height, longest = 1080) {
  const scale = Math.min(1, longest / Math.max(width, height));
  const [w, hh] = [width, height].map((side) => Math.max(21, Math.round(side * scale)));
  const canvas = h('canvas', { width: w, height: hh }).getContext('2d', { willReadFrequently: true });
  canvas.drawImage(picture, 0, 0, w, hh);
  const { data } = canvas.getImageData(0, 0, w, hh);
  const grey = Uint8Array.from({ length: w * hh }, (_, i) =>
    (data[4 * i] * 77 + data[4 * i + 1] * 151 + data[4 * i + 2] * 28) >> 8);
  return (await api.upload(`scan?width=${w}&height=${hh}`, new Blob([grey]))).texts[0] ?? null;
}

export async function readPhoto(file) {
  const picture = await createImageBitmap(file).catch(() => { throw problem('noPicture'); });
  for (const longest of [1080, 480]) {
    const text = await read(picture, picture.width, picture.height, longest);
    if (text) return text;
  }
  throw problem('noCode');
}

/** Looks through the camera until a code is seen or the reader closes it; null then. */
export async function scan() {
  const wanted = { facingMode: 'environment', width: { ideal: 1280 } };
  const stream = await navigator.mediaDevices.getUserMedia({ video: wanted })
    .catch(() => { throw problem('noCamera'); });
  const video = h('video', { autoplay: true, muted: true, playsInline: true });
  video.srcObject = stream;
  const el = dialog(t('scan'), h('p', t('scanHow')), video);
  let text = null;
  try {
    await video.play();
    while (el.open && !text) {
      const rest = pause(250);
      if (video.videoWidth) text = await read(video, video.videoWidth, video.videoHeight);
      await rest;
    }
  } finally {
    stream.getTracks().forEach((track) => track.stop());
    el.close();
  }
  return text;
}
