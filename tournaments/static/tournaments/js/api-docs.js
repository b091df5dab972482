// Starts Swagger UI on the page that describes the interface. It asks nobody but this server.

const place = document.getElementById("routes");
window.SwaggerUIBundle({
  url: place.dataset.description,
  dom_id: "#routes",
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  validatorUrl: null,
});
