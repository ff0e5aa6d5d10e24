export default { serverExternalPackages: ["wherefore"] };
