// Draws the curves of the report. All numbers and their texts come from the embedded data; nothing is
// computed here but positions.
"use strict";
(() => {
  // The colours (after Okabe and Ito, told apart by colour-blind readers) are in the style sheet, one
  // set per theme; marks help in print.
  const marks = ["circle", "triangle", "rect", "rectRot", "star", "crossRot", "cross"];
  const data = JSON.parse(document.getElementById("vmtax-data").textContent);
  const drawn = new Map();

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function look(series, guestIndex) {
    const colours = css("--series").split(",").map((colour) => colour.trim());
    if (series.arm === "bare")
      return { color: css("--bare"), mark: "circle", dash: [], width: 3 };
    if (series.arm === "backing")
      return { color: css("--backing"), mark: "rect", dash: [6, 4], width: 2 };
    return {
      color: colours[guestIndex % colours.length],
      mark: marks[guestIndex % marks.length],
      dash: series.ram_backed ? [2, 3] : [],
      width: 2,
    };
  }

  function datasets(chart) {
    let guests = 0;
    return chart.series.map((series) => {
      const { color, mark, dash, width } =
        look(series, series.arm === "guest" ? guests++ : 0);
      return {
        label: series.label, data: series.points, borderColor: color, backgroundColor: color,
        pointStyle: mark, pointRadius: 4, pointHoverRadius: 6, borderDash: dash,
        borderWidth: width, tension: 0,
      };
    });
  }

  function depths(chart) {
    const all = chart.series.flatMap((series) => series.points.map((point) => point.x));
    return [...new Set(all)].sort((a, b) => a - b);
  }

  function options(chart) {
    const text = css("--text"), line = css("--line"), at = depths(chart);
    const axis = (title) => ({
      title: { display: true, text: title, color: text },
      ticks: { color: text },
      grid: { color: line, borderColor: line },
    });
    const x = {
      ...axis("iodepth"), type: "logarithmic", min: at[0] / 1.25, max: at[at.length - 1] * 1.25,
      afterBuildTicks: (scale) => { scale.ticks = at.map((value) => ({ value })); },
    };
    x.ticks = { color: text, callback: (value) => String(value), autoSkip: true, maxRotation: 0 };
    return {
      animation: false, responsive: true, maintainAspectRatio: false,
      interaction: { mode: "nearest", intersect: false },
      scales: { x, y: { ...axis(chart.unit), beginAtZero: true } },
      plugins: {
        legend: { position: "bottom", labels: { color: text, usePointStyle: true, boxWidth: 14, boxHeight: 6, padding: 12 } },
        tooltip: {
          callbacks: {
            title: (items) => (items.length ? "depth " + items[0].raw.x : ""),
            label: (item) => item.dataset.label + ": " + item.raw.text,
          },
        },
      },
    };
  }

  function draw(index) {
    if (drawn.has(index)) return;
    const chart = data.charts[index];
    const canvas = document.getElementById("chart-" + index);
    drawn.set(index, new Chart(canvas, {
      type: "line", data: { datasets: datasets(chart) }, options: options(chart),
    }));
  }

  function redraw() {
    for (const index of [...drawn.keys()]) {
      drawn.get(index).destroy();
      drawn.delete(index);
      draw(index);
    }
  }

  // Charts are drawn when they come into view, and all of them before printing.
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) draw(Number(entry.target.id.slice("chart-".length)));
  }, { rootMargin: "300px" });
  data.charts.forEach((_, index) => observer.observe(document.getElementById("chart-" + index)));
  window.addEventListener("beforeprint", () => data.charts.forEach((_, index) => draw(index)));
  for (const query of ["(prefers-color-scheme: dark)", "print"])
    window.matchMedia(query).addEventListener("change", redraw);
})();
