/* Two pens with the same strokes: one for the canvas, one that writes SVG. */
class CanvasPen {
  constructor(context) { this.c = context; }
  stroke(colour, width, alpha) {
    this.c.strokeStyle = colour;
    this.c.lineWidth = width;
    this.c.globalAlpha = alpha;
    this.c.stroke();
  }
  line(x1, y1, x2, y2, colour, width = 1, alpha = 1) {
    this.c.beginPath();
    this.c.moveTo(x1, y1);
    this.c.lineTo(x2, y2);
    this.stroke(colour, width, alpha);
  }
  curve(x1, y1, cx, cy, x2, y2, colour, width = 1, alpha = 1) {
    this.c.beginPath();
    this.c.moveTo(x1, y1);
    this.c.quadraticCurveTo(cx, cy, x2, y2);
    this.stroke(colour, width, alpha);
  }
  arc(x, y, r, from, to, colour, width = 1, alpha = 1) {
    this.c.beginPath();
    this.c.arc(x, y, r, from, to);
    this.stroke(colour, width, alpha);
  }
  circle(x, y, r, fill, edge = null, width = 1, alpha = 1) {
    this.c.globalAlpha = alpha;
    this.c.beginPath();
    this.c.arc(x, y, r, 0, 2 * Math.PI);
    this.c.fillStyle = fill;
    this.c.fill();
    if (edge) this.stroke(edge, width, alpha);
  }
  poly(points, fill, alpha = 1) {
    this.c.globalAlpha = alpha;
    this.c.beginPath();
    points.forEach(([x, y], i) => (i ? this.c.lineTo(x, y) : this.c.moveTo(x, y)));
    this.c.closePath();
    this.c.fillStyle = fill;
    this.c.fill();
  }
  text(words, x, y, size, colour, align = "center", alpha = 1) {
    this.c.globalAlpha = alpha;
    this.c.font = `${size}px system-ui, sans-serif`;
    this.c.textAlign = align;
    this.c.textBaseline = "middle";
    this.c.fillStyle = colour;
    this.c.fillText(words, x, y);
  }
}

const escapeXml = (s) => String(s).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const short = (x) => +x.toFixed(2);

class SvgPen {
  constructor() { this.parts = []; }
  put(tag, attributes, colour, width, alpha) {
    const faint = alpha < 1 ? ` opacity="${short(alpha)}"` : "";
    this.parts.push(`<${tag} ${attributes} fill="none" stroke="${colour}" stroke-width="${short(width)}"${faint}/>`);
  }
  line(x1, y1, x2, y2, colour, width = 1, alpha = 1) {
    this.put("path", `d="M${short(x1)} ${short(y1)}L${short(x2)} ${short(y2)}"`, colour, width, alpha);
  }
  curve(x1, y1, cx, cy, x2, y2, colour, width = 1, alpha = 1) {
    const d = `M${short(x1)} ${short(y1)}Q${short(cx)} ${short(cy)} ${short(x2)} ${short(y2)}`;
    this.put("path", `d="${d}"`, colour, width, alpha);
  }
  arc(x, y, r, from, to, colour, width = 1, alpha = 1) {
    const at = (a) => `${short(x + r * Math.cos(a))} ${short(y + r * Math.sin(a))}`;
    const half = (from + to) / 2; /* in two halves, as a whole circle has no ends */
    this.put("path", `d="M${at(from)}A${r} ${r} 0 0 1 ${at(half)}A${r} ${r} 0 0 1 ${at(to)}"`, colour, width, alpha);
  }
  circle(x, y, r, fill, edge = null, width = 1, alpha = 1) {
    const line = edge ? ` stroke="${edge}" stroke-width="${short(width)}"` : "";
    const faint = alpha < 1 ? ` opacity="${short(alpha)}"` : "";
    this.parts.push(`<circle cx="${short(x)}" cy="${short(y)}" r="${short(r)}" fill="${fill}"${line}${faint}/>`);
  }
  poly(points, fill, alpha = 1) {
    const faint = alpha < 1 ? ` opacity="${short(alpha)}"` : "";
    this.parts.push(`<polygon points="${points.map((p) => p.map(short).join(",")).join(" ")}" fill="${fill}"${faint}/>`);
  }
  text(words, x, y, size, colour, align = "center", alpha = 1) {
    const anchor = { center: "middle", left: "start", right: "end" }[align];
    const faint = alpha < 1 ? ` opacity="${short(alpha)}"` : "";
    this.parts.push(`<text x="${short(x)}" y="${short(y)}" font-size="${short(size)}" fill="${colour}" text-anchor="${anchor}" ` +
      `dominant-baseline="central"${faint}>${escapeXml(words)}</text>`);
  }
  svg(width, height, background, title) {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
      `font-family="system-ui, sans-serif"><title>${escapeXml(title)}</title>` +
      `<rect width="100%" height="100%" fill="${background}"/>${this.parts.join("\n")}</svg>\n`;
  }
}

/* The head of an arrow that comes from somewhere. */
function arrowHead(pen, fromX, fromY, x, y, size, colour, alpha) {
  const a = Math.atan2(y - fromY, x - fromX);
  const at = (d, turn) => [x - d * Math.cos(a + turn), y - d * Math.sin(a + turn)];
  pen.poly([[x, y], at(size, 0.42), at(size, -0.42)], colour, alpha);
}

/* A part of a quadratic curve, from its beginning. */
function curvePart(x1, y1, cx, cy, x2, y2, part) {
  const mix = (a, b) => a + (b - a) * part;
  const mx = mix(x1, cx), my = mix(y1, cy);
  return [x1, y1, mx, my, mix(mx, mix(cx, x2)), mix(my, mix(cy, y2))];
}
